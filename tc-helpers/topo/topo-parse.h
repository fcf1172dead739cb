/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_TOPO_PARSE_H
#define QBED_TOPO_PARSE_H

#include "topo/topo.h"

/* Between the files pure/topo*.c; nobody else includes it. */

/* Memory that lives as long as @topo; NULL with @d filled. */
void *topo_alloc(struct diag *d, struct topo *topo, size_t size);
char *topo_strndup(struct diag *d, struct topo *topo, const char *s, size_t len);

/* Room for one more element, zeroed, at the end of the array at @array; NULL with @d filled. */
void *topo_add(struct diag *d, void *array, int *n, size_t size);

/* Splits lines into topo->stmts. */
int topo_split(struct diag *d, struct topo *topo, const char *text, size_t len);
int topo_split_line(struct diag *d, struct topo *topo, const char *text, size_t len, int line);

/* Reads one statement; errors count words from the statement's keyword. */
int topo_stmt_parse(struct diag *d, struct topo *topo, int stmt);
int topo_link_parse(struct diag *d, struct topo *topo, int stmt);
int topo_qdisc_parse(struct diag *d, struct topo *topo, int stmt);

/* The word at @i is there, or the error that @what is missing. */
int topo_need_word(struct diag *d, const struct topo_stmt *s, int i, const char *what);
/* The statement ends before word @i. */
int topo_no_more(struct diag *d, const struct topo_stmt *s, int i);

/* NS:DEV with the prefix before NS; the namespace must stand in a line before. */
int topo_end_parse(struct diag *d, const struct topo *topo, char **words, int i,
		   struct link_end *end);
int topo_find_netns(const struct topo *topo, const char *live);	/* index, -1 */
bool topo_same_end(const struct link_end *a, const struct link_end *b);
int topo_find_end(const struct topo *topo, const struct link_end *end, struct topo_ref *ref);

/* The device that word @i names; it must be an end of a link made before. */
int topo_ref_parse(struct diag *d, const struct topo *topo, char **words, int i,
		   struct topo_ref *ref);

#endif
