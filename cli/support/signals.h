// SPDX-License-Identifier: Apache-2.0
//
// What the program does about signals and about standard streams that are closed.
#ifndef HEDDLE_CLI_SUPPORT_SIGNALS_H
#define HEDDLE_CLI_SUPPORT_SIGNALS_H

// Signals that end the program, crashes among them, first remove the files it is writing; a mapped
// input that shrinks under it (SIGBUS) becomes a message. Streams 0 to 2, if closed, are made
// unusable instead of being given to the next file that is opened.
void signals_begin(void);

#endif
