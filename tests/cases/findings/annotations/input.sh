# A comment in the source makes a finding benign.
text=$TOP/tests/cases/findings/text
try findings text "$text/app.json" --sources "$text" --annotations | grep -E '^(benign|refuted|specialize|exit)'
cp "$text/app.c" .
sed -i 's|// specialize: benign.*||; s|^  j->done|  /* specialize: benign */\n&|; 1d' app.c
try findings text "$text/app.json" --sources . --annotations | grep -E '^(benign|refuted|specialize|exit)'
sed -i 's|/\* specialize: benign|/* specialise: benign|' app.c
try findings text "$text/app.json" --sources . --annotations | grep -E '^(benign|refuted|specialize|exit)'
