// report/findings -- inside report/: what the formats of findings share.
#pragma once
#include "formats.h"
#include "json.h"
#include "words.h"

const char *finding_place_word(FindingPlace p);  // global, heap, ...
const char *finding_role_word(int role);         // event, a, b
bool word_in(const char *const *words, size_t n, const char *word, int *out);
#define WORD_IN(words, word, out) word_in((words), sizeof(words) / sizeof *(words), (word), (out))
extern const char *const finding_statuses[4], *const finding_seens[5], *const finding_places[6];
extern const char *const finding_roles[3];

typedef struct {
  size_t status[4];                 // of those that are not suppressed
  size_t suppressed, known, fresh;  // of those that are open: in the baseline, or not
  size_t groups;                    // of those that are possible
} Counts;
Counts counts_of(const Report *r);

// write, atomic read, free: what an access does, for people; with a large first letter if asked.
void put_access_word(const FindingAccess *a, bool large, Bytes *out);
void put_thread_word(uint32_t thread, Bytes *out);          // thread T1; the main thread
void put_source_place(const FindingFrame *f, Bytes *out);   // racy.c:57:11; nothing if it is not known
void put_object_words(const FindingObject *o, Bytes *out);  // global 'counter' of 8 bytes
const char *finding_noun(const Report *r);                  // race, deadlock
void put_waits_for(const FindingThread *t, Bytes *out);     // to lock m0; for the end of thread T2
void finding_threads_text(const Report *r, const Finding *f, const FindingOptions *o, Bytes *out);
const char *finding_headline(const Finding *f);  // data race
const char *finding_seen_text(FindingSeen s);    // NULL: the pair was not watched
const char *finding_seen_word(FindingSeen s);    // never met
void put_scope(const Report *r, Bytes *out);
void put_clean(const Report *r, Bytes *out);  // what is said when nothing is open, without a line end

// What stays the same when lines move: rule, functions, last parts of files' names, and object. Equal
// ones are numbered by `nth`.
uint64_t fingerprint(const Finding *f, uint32_t nth);
// Of all findings, in order; the caller's to free.
uint64_t *fingerprints(const Report *r);

// Inside the JSON and the page.
void put_report_fields(const Report *r, Json *j);
void put_finding_fields(const Finding *f, Json *j);
void put_interleaving(const Finding *f, size_t from, Json *j);  // the steps from there on
void put_report_end(const Report *r, Json *j);
