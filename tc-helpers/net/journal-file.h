/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef QBED_JOURNAL_FILE_H
#define QBED_JOURNAL_FILE_H

#include "net/journal.h"

/* Between journal.c, which reads, and journal-write.c; nobody else includes it. */

#define JOURNAL_DIR "/run/qbed"
#define JOURNAL_MAGIC "qbed-journal-1"

struct journal *journal_new(const char *path);
/* diag_failed(), but a missing privilege is the machine's lack (exit 4). */
int journal_failed(struct diag *d, int errnum, const char *path, const char *step);
/* What a record says, kept in memory: 0 or -ENOMEM. */
int journal_note_netns(struct journal *j, const char *name);
int journal_note_dev(struct journal *j, const char *dev, const uint8_t *mac);
int journal_add_line(char ***lines, int *n, const char *text);
int journal_replace(char **where, const char *text);

#endif
