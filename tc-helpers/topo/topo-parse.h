/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_TOPO_PARSE_H
#define QBED_TOPO_PARSE_H

#include "topo/topo.h"

/* Between the files topo/topo*.c; nobody else includes it. */

/* Memory that lives as long as @topo; NULL with @d filled. */
void *topo_alloc(struct diag *d, struct topo *topo, size_t size);
char *topo_strndup(struct diag *d, struct topo *topo, const char *s, size_t len);

/* Room for one more element, zeroed, at the end of the array at @array; NULL with @d filled. */
void *topo_add(struct diag *d, void *array, int *n, size_t size);

/* Two numbers under a name ("NS", "NS:DEV"), for topo_find_dev(). */
int topo_map_put(struct diag *d, struct topo *topo, const char *name, int a, int b);
bool topo_map_get(const struct topo *topo, const char *name, int *a, int *b);
void topo_map_free(struct topo_map *map);
/* Names of what has none, with characters first that no name has. */
#define TOPO_KEY_MAC '/'
#define TOPO_KEY_IP ' '
#define TOPO_KEY_IP6 '\t'
#define TOPO_KEY_LEN(bytes) (2 * (bytes) + 2)
char *topo_map_key(char *key, char kind, const void *bytes, size_t len);

/* Splits lines into topo->stmts. */
int topo_split(struct diag *d, struct topo *topo, const char *text, size_t len);
int topo_split_line(struct diag *d, struct topo *topo, const char *text, size_t len, int line);
/* Next word of [*@at, @len), its start and length; false at the end or at a comment. */
bool topo_next_word(const char *text, size_t len, size_t *at, size_t *start, size_t *n);

/* Reads one statement; errors count words from the statement's keyword. */
int topo_stmt_parse(struct diag *d, struct topo *topo, int stmt);
int topo_link_parse(struct diag *d, struct topo *topo, int stmt);
int topo_ingress_parse(struct diag *d, struct topo *topo, int stmt);
int topo_qdisc_parse(struct diag *d, struct topo *topo, int stmt);
int topo_class_parse(struct diag *d, struct topo *topo, int stmt);
int topo_filter_parse(struct diag *d, struct topo *topo, int stmt);
int topo_steer_parse(struct diag *d, struct topo *topo, int stmt);
int topo_route_parse(struct diag *d, struct topo *topo, int stmt);
int topo_at_parse(struct diag *d, struct topo *topo, int stmt);
int topo_trace_parse(struct diag *d, struct topo *topo, int stmt);

/* The word at @i is there, or the error that @what is missing. */
int topo_need_word(struct diag *d, const struct topo_stmt *s, int i, const char *what);
/* The statement ends before word @i. */
int topo_no_more(struct diag *d, const struct topo_stmt *s, int i);

/* A namespace that a line before makes: its index into topo.netns in *@netns. */
int topo_netns_parse(struct diag *d, const struct topo *topo, char **words, int i, int *netns);

/* NS:DEV with the prefix before NS; the namespace must stand in a line before. */
int topo_end_parse(struct diag *d, const struct topo *topo, char **words, int i,
		   struct link_end *end);
int topo_find_netns(const struct topo *topo, const char *live);	/* index, -1 */
bool topo_same_end(const struct link_end *a, const struct link_end *b);
struct topo_dev *topo_dev_of(struct topo *topo, struct topo_ref ref);
/* From now on topo_find_dev() knows the device. */
int topo_name_dev(struct diag *d, struct topo *topo, struct topo_ref ref);

/* An end with a filter at its ingress gets no ifb. */
int topo_filter_ingress_check(struct diag *d, const struct topo *topo, const struct topo_stmt *s,
			      struct topo_ref end);

/* The device that word @i names: an end of a link made before; with @ifbs an ifb too. */
int topo_ref_parse(struct diag *d, const struct topo *topo, char **words, int i, bool ifbs,
		   struct topo_ref *ref);

/* An address or "ADDRESS/LEN" of either family; @plen -1 when there is no length. */
int topo_ip_parse(struct diag *d, char **words, int i, int *family, uint8_t *bytes, int *plen);

/* A locally administered address that depends on the name alone (64-bit FNV-1a, folded). */
void topo_mac_from_name(const struct link_end *end, uint8_t *mac);

/**
 * struct topo_place - where a qdisc or class goes: the words before its kind
 * @dev: the device
 * @is_class: "classid" where a qdisc has "handle"
 * @first: index of the first word after the device
 * @parent_word: index of the word after "parent", 0 without
 * @handle_word: index of the word after "handle" or "classid", 0 without
 * @kind: index of the kind's word
 * @star: "parent 1:*"
 * @implied: the statement stands for "root" without saying it
 * @parent: 0 for none, 0xffffffff for the root; with @star the major alone
 * @handle: 0 for none
 */
struct topo_place {
	struct topo_ref dev;
	bool is_class;
	int first;
	int parent_word;
	int handle_word;
	int kind;
	bool star;
	bool implied;
	uint32_t parent;
	uint32_t handle;
};

#define TOPO_ROOT 0xffffffffU	/* TC_H_ROOT */

/* The words from p->first on, up to the kind; p->dev, p->is_class and p->first are set before. */
int topo_place_parse(struct diag *d, struct topo *topo, const struct topo_stmt *s,
		     struct topo_place *p);
/* The qdisc below @parent, or the qdisc or class that has @handle; NULL for none. */
struct topo_qdisc *topo_find_parent(const struct topo *topo, struct topo_ref dev, uint32_t parent);
struct topo_qdisc *topo_find_handle(const struct topo *topo, struct topo_ref dev, bool is_class,
				    uint32_t handle);
/*
 * Fills @q with the words for the one below @parent, the @n-th of its star
 * from 0. @stmt is that of p.
 */
int topo_tc_words(struct diag *d, struct topo *topo, int stmt, const struct topo_place *p,
		  uint32_t parent, unsigned int n, struct topo_qdisc *q);
/* Checks the place and adds to topo.qdiscs. */
int topo_tc_add(struct diag *d, struct topo *topo, int stmt, const struct topo_place *p);

/*
 * "VALUE step BY": a time, rate, share or number that grows from queue to
 * queue. topo_steps_check() looks at all of them from word @first on;
 * topo_step_word() gives the word @i for the @n-th queue, itself when it does not step.
 */
int topo_steps_check(struct diag *d, const struct topo_stmt *s, int first, bool star);
bool topo_is_step(const struct topo_stmt *s, int i);
int topo_step_word(struct diag *d, struct topo *topo, const struct topo_stmt *s, int i,
		   unsigned int n, char **word);

#endif
