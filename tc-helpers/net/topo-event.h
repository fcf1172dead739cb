/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_TOPO_EVENT_H
#define QBED_TOPO_EVENT_H

struct diag;
struct topo;
struct topo_player;

/* Do the words of all events mean something? Errors at FILE:LINE:COLUMN; no kernel is asked. */
int topo_events_check(struct diag *d, const struct topo *topo);

/*
 * Who does the events of @topo, a topology that stands as qbed made it from
 * the very lines; if it does not, -errno with @d. Stays in its namespaces,
 * whatever becomes of their names. NULL in *@player on an error.
 */
int topo_player_new(struct diag *d, const struct topo *topo, struct topo_player **player);
void topo_player_free(struct topo_player *player);

/* Makes the message of event @i, so that topo_player_do() has only to send it. */
int topo_player_prepare(struct topo_player *player, struct diag *d, int i);
/* Does the event that was prepared: returns when the kernel has done it. */
int topo_player_do(struct topo_player *player, struct diag *d);

#endif
