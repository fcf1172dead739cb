/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_JOURNAL_H
#define QBED_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pure/names.h"

struct diag;
struct snap;
struct topo;

/**
 * struct journal_netns - a namespace that a topology makes
 * @name: under /run/netns
 * @cookie: of the very namespace; 0 when it was not made when the record was written
 */
struct journal_netns {
	char name[NETNS_NAME_MAX + 1];
	uint64_t cookie;
};

/* A device in the caller's namespace that a topology makes; @mac tells it from others of that name. */
struct journal_dev {
	char dev[IFNAMSIZ];
	uint8_t mac[6];
};

/**
 * struct journal - what one topology made, /run/qbed/topo-N
 *
 * All names are written before anything is made; the cookie of a namespace,
 * which is known when it is there, before it gets its name. So after a kill at any point
 * the file names everything that may stand, and the cookie or MAC tells whether
 * what stands is ours.
 *
 * @path: the file
 * @file: the topology's file name, for people
 * @prefix: see struct topo
 * @lines: the topology's statements
 * @snap: what stood when "up" was done, snap_bytes()
 * @snap_len: bytes of it
 * @up: "up" was done
 */
struct journal {
	int fd;
	char *path;
	char *file;
	char *prefix;
	char **lines;
	int nlines;
	struct journal_netns *netns;
	int nnetns;
	struct journal_dev *devs;
	int ndevs;
	char *snap;
	size_t snap_len;
	bool up;
};

/*
 * One "topo up" or "down" at a time on a machine: waits up to @wait_ms, then
 * fails naming the holder. Returns an fd whose close() gives the lock back.
 */
int journal_lock(struct diag *d, int wait_ms);

/* All journals in the order of their numbers; @list ends with NULL. */
int journal_read_all(struct diag *d, struct journal ***list);
void journal_free_all(struct journal **list);

/*
 * A new journal that says what @topo is and names all that it will make; call
 * with the lock held, before anything is made.
 */
int journal_create(struct diag *d, const struct topo *topo, struct journal **journal);
/* topo.netns[@i] has been made and has no name yet. */
int journal_netns_cookie(struct diag *d, struct journal *j, int i, uint64_t cookie);
/* Done, and what stands is in @snap. */
int journal_up(struct diag *d, struct journal *j, const struct snap *snap);
/* Nothing of it is left: the file goes. */
int journal_remove(struct diag *d, struct journal *j);
void journal_free(struct journal *j);

/* One of an "up" that was killed before it made anything: it names nothing. */
static inline bool journal_is_empty(const struct journal *j)
{
	return !j->nnetns && !j->ndevs;
}

/* Do the two name one namespace, or one device of the caller's? */
bool journal_shares(const struct journal *j, const struct topo *topo);
/* Is @topo the very topology that the journal is about? */
bool journal_is_of(const struct journal *j, const struct topo *topo);

#endif
