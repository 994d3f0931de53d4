/* Checks for the tests in C: each ends the program with a message if it fails. */

#ifndef OROGEN_CHECK_H
#define OROGEN_CHECK_H

#include <orogen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int checks = 0;

#define CHECK(condition)                                                                    \
    do {                                                                                    \
        checks++;                                                                           \
        if (!(condition)) {                                                                 \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);         \
            exit(1);                                                                        \
        }                                                                                   \
    } while (0)

/* The call succeeds. Frees take no error: their status is all there is. */
#define IS_OK(call)                                                                         \
    do {                                                                                    \
        const OrogenStatus status_ = (call);                                                \
        checks++;                                                                           \
        if (status_ != OROGEN_STATUS_OK) {                                                  \
            fprintf(stderr, "%s:%d: status %d of %s\n", __FILE__, __LINE__, (int)status_, #call); \
            exit(1);                                                                        \
        }                                                                                   \
    } while (0)

/* Words of Rust or of the command that no message may contain, because C has other names for them. */
static inline const char *foreign_word(const char *message) {
    static const char *const WORDS[] = {"None", "Some(", "::", "f64", "f32", "u64", "u32", "i64", "usize", "Option<", "Vec<", "String", " --"};
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++) {
        if (strstr(message, WORDS[i]) != NULL) {
            return WORDS[i];
        }
    }
    return NULL;
}

/* The call fails with a status, and with a message, in `error`, that contains this. */
#define FAILS(call, expected, says)                                                         \
    do {                                                                                    \
        memset(&error, 'x', sizeof error);                                                  \
        const OrogenStatus status_ = (call);                                                \
        checks++;                                                                           \
        if (status_ != OROGEN_STATUS_##expected || error.status != status_ || strstr(error.message, says) == NULL || \
            foreign_word(error.message) != NULL) {                                          \
            fprintf(stderr, "%s:%d: status %d, '%s' of %s\n", __FILE__, __LINE__, (int)status_, error.message, #call); \
            exit(1);                                                                        \
        }                                                                                   \
    } while (0)

#endif
