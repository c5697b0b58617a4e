package analyze

//go:generate sh -c "go run ./generate | node generate/answers.mjs | gzip -9n > testdata/answers.jsonl.gz"
