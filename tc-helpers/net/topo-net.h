/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_TOPO_NET_H
#define QBED_TOPO_NET_H

#include <stdbool.h>

struct diag;
struct doc;
struct journal;
struct progress;
struct snap;
struct topo;

/* What "topo up" found or did. */
enum topo_up_result {
	TOPO_MADE,
	TOPO_MADE_AGAIN,	/* something of the same names was ours and has been replaced */
	TOPO_UNCHANGED,		/* it stood already, and as a fresh one would */
};

/**
 * topo_up() - make a topology stand
 * @d: says which step of which line the kernel refused
 * @topo: what shall stand
 * @threads: 1 or 2; 0 for two where that is faster. What stands in the end is the same.
 * @progress: who watches, NULL for nobody
 * @result: see enum topo_up_result
 *
 * From any state of ours: what shares a name with it and is ours goes first.
 * What is not ours is never touched: a name that is taken is an error. On an
 * error, or a signal that ends the program, everything that this call made
 * goes again. Once it is done those signals stay blocked, so that a program
 * that is about to end can say so.
 *
 * Return: 0, or -errno with @d.
 */
int topo_up(struct diag *d, const struct topo *topo, unsigned int threads,
	    struct progress *progress, enum topo_up_result *result);

/**
 * topo_down() - take away what is ours of a topology
 * @d: says what could not be removed
 * @topo: every journal that shares a name with it; NULL for all
 * @progress: who watches, NULL for nobody
 * @n: how many topologies went
 *
 * When it returns 0, the devices are gone, not only going.
 *
 * Return: 0, or -errno with @d.
 */
int topo_down(struct diag *d, const struct topo *topo, struct progress *progress, int *n);

/* Takes away what @j names and is ours, and @j's file with it. Call with the lock held. */
int topo_down_one(struct diag *d, struct journal *j, struct progress *progress);

/*
 * What stands of @topo as @snap has it: facts as text, one a line, that two
 * fresh makes of one topology have alike; in JSON as the array "links" and the
 * like in the object that is open. With @exact each qdisc's line ends with a
 * hash of the kernel's bytes of all its options, also those that have no words here.
 */
int topo_facts(struct diag *d, const struct topo *topo, struct snap *snap, bool exact,
	       struct progress *progress, struct doc *doc);
/* The same, read from the kernel. */
int topo_live(struct diag *d, const struct topo *topo, bool exact, struct progress *progress,
	      struct doc *doc);

/* The journal whose names @topo shares; NULL when nothing of it is up. Free with journal_free(). */
int topo_find(struct diag *d, const struct topo *topo, struct journal **journal);

/* The topology that a journal is about. */
int topo_of_journal(struct diag *d, const struct journal *j, struct topo **topo);

/*
 * Calls @each for every line of the file and every fact that is not as it was
 * when the topology was made: '-' and what is missing, '+' and what is there instead.
 */
int topo_drift(struct diag *d, const struct topo *topo, const struct journal *j,
	       struct progress *progress, void (*each)(void *arg, char sign, const char *fact),
	       void *arg);

/*
 * Do tc's words in @topo mean something? Errors at file:line:column. With @ask the kernel is asked too
 * whether it knows settings that only newer ones have.
 */
int topo_qdiscs_check(struct diag *d, const struct topo *topo, bool ask);

#endif
