// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Names of namespaces and devices to what they are, and which addresses are
 * taken: a topology of a thousand namespaces asks for one in every line.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "pure/diag.h"
#include "topo/topo-parse.h"

struct slot {
	char *name;
	int a;
	int b;
};

struct topo_map {
	struct slot *slots;
	size_t room;	/* a power of two */
	size_t used;
};

/* 64-bit FNV-1a. */
static size_t hash(const char *name)
{
	uint64_t h = 0xcbf29ce484222325;

	while (*name)
		h = (h ^ (uint8_t)*name++) * 0x100000001b3;
	return (size_t)(h ^ h >> 32);
}

static struct slot *find(const struct topo_map *map, const char *name)
{
	size_t i = hash(name);

	while (map->slots[i & (map->room - 1)].name &&
	       strcmp(map->slots[i & (map->room - 1)].name, name) != 0)
		i++;
	return &map->slots[i & (map->room - 1)];
}

static int grow(struct topo_map *map)
{
	struct topo_map wide = { .room = map->room ? 2 * map->room : 64, .used = map->used };

	wide.slots = calloc(wide.room, sizeof(*wide.slots));
	if (!wide.slots)
		return -ENOMEM;
	for (size_t i = 0; i < map->room; i++)
		if (map->slots[i].name)
			*find(&wide, map->slots[i].name) = map->slots[i];
	free(map->slots);
	*map = wide;
	return 0;
}

int topo_map_put(struct diag *d, struct topo *topo, const char *name, int a, int b)
{
	struct topo_map *map = topo->names;
	struct slot *slot;

	if (!map)
		map = topo->names = calloc(1, sizeof(*map));
	if (!map || (4 * map->used >= 3 * map->room && grow(map)))
		return diag_failed(d, ENOMEM, "%s", topo->file);
	slot = find(map, name);
	if (!slot->name) {
		slot->name = strdup(name);
		if (!slot->name)
			return diag_failed(d, ENOMEM, "%s", topo->file);
		map->used++;
	}
	slot->a = a;
	slot->b = b;
	return 0;
}

char *topo_map_key(char *key, char kind, const void *bytes, size_t len)
{
	char *at = key;

	*at++ = kind;
	for (size_t i = 0; i < len; i++) {
		unsigned int v = ((const uint8_t *)bytes)[i];

		*at++ = (char)('a' + (v >> 4));
		*at++ = (char)('a' + (v & 0xf));
	}
	*at = '\0';
	return key;
}

bool topo_map_get(const struct topo *topo, const char *name, int *a, int *b)
{
	const struct slot *slot = topo->names ? find(topo->names, name) : NULL;

	if (!slot || !slot->name)
		return false;
	*a = slot->a;
	*b = slot->b;
	return true;
}

void topo_map_free(struct topo_map *map)
{
	if (!map)
		return;
	for (size_t i = 0; i < map->room; i++)
		free(map->slots[i].name);
	free(map->slots);
	free(map);
}
