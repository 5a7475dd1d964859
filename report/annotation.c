// Looks for comments in single lines; a comment that began on a line before is not known for one.
#include "findings.h"
#include "triage.h"

static bool takes(Span *s, const char *word) {
  size_t n = strlen(word);
  if (s->len < n || memcmp(s->at, word, n)) return false;
  s->at += n, s->len -= n;
  return true;
}

static void skip_any(Span *s, const char *of) {
  while (s->len && *s->at && strchr(of, *s->at)) ++s->at, --s->len;
}

static bool is_word(unsigned char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80;
}

// The text of a comment, without its marks. What stands behind the word is the reason.
static bool says_benign(Span comment, Span *reason) {
  skip_any(&comment, " \t/*!<");
  if (!takes(&comment, "specialize:")) return false;
  skip_any(&comment, " \t");
  if (!takes(&comment, "benign") || (comment.len && is_word(*comment.at))) return false;
  skip_any(&comment, " \t:,;-");
  while (comment.len && strchr(" \t*/", comment.at[comment.len - 1]) && comment.at[comment.len - 1])
    --comment.len;
  *reason = comment;
  return true;
}

// s begins with a quote: what is behind the literal.
static Span behind_literal(Span s) {
  unsigned char quote = *s.at;
  for (++s.at, --s.len; s.len && *s.at != quote; ++s.at, --s.len)
    if (*s.at == '\\' && s.len > 1) ++s.at, --s.len;
  return s.len ? span_of(s.at + 1, s.len - 1) : s;
}

static size_t comment_length(Span s) {
  if (s.at[1] == '/') return s.len;
  for (size_t i = 2; i + 1 < s.len; ++i)
    if (s.at[i] == '*' && s.at[i + 1] == '/') return i + 2;
  return s.len;
}

// s begins with a letter or digit: what is behind the word. The 1'000 of C++ is one.
static Span behind_word(Span s) {
  bool number = *s.at <= '9';
  while (s.len && (is_word(*s.at) || (number && *s.at == '\''))) ++s.at, --s.len;
  return s;
}

bool annotation_benign(Span line, bool alone, Span *reason) {
  skip_any(&line, " \t");
  while (line.len > 1) {
    bool comment = *line.at == '/' && (line.at[1] == '/' || line.at[1] == '*');
    if (alone && !comment) return false;
    if (comment) {
      size_t n = comment_length(line);
      bool benign = says_benign(span_of(line.at, n), reason);
      line = span_of(line.at + n, line.len - n);
      skip_any(&line, " \t");
      if (benign) return !alone || !line.len;
    } else if (is_word(*line.at)) {
      line = behind_word(line);
    } else {
      line = *line.at == '"' || *line.at == '\'' ? behind_literal(line) : span_of(line.at + 1, line.len - 1);
    }
  }
  return false;
}

static bool access_benign(Sources *sources, const FindingFrame *f, uint32_t *line, Span *reason) {
  if (!f->file || !f->line) return false;
  *line = f->line;
  if (annotation_benign(sources_line(sources, f->file, f->line), false, reason)) return true;
  *line = f->line - 1;
  return *line && annotation_benign(sources_line(sources, f->file, *line), true, reason);
}

void annotations_apply(Report *r, Sources *sources) {
  for (vec_each(i, &r->findings)) {
    Finding *f = &r->findings.at[i];
    const FindingFrame *at = &f->a.at;
    uint32_t line;
    Span reason;
    if (!access_benign(sources, at, &line, &reason) && !access_benign(sources, at = &f->b.at, &line, &reason))
      continue;
    f->status = FINDING_BENIGN;
    f->why = report_print(r, "says %s:%u%s%.*s", at->file, (unsigned)line, reason.len ? ": " : "",
                          (int)reason.len, (const char *)reason.at);
  }
  report_settle(r);
}
