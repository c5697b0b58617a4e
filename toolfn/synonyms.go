package toolfn

import "strings"

// abbreviations are the short forms that developers write, with what they stand
// for. They hold in both directions and count almost as much as the word itself.
var abbreviations = pairs(`
acct account; addr address; admin administrator; app application; apps application; arg argument; attr attribute; auth authentication; auth authorization; authn authentication;
authz authorization; avg average; cal calendar; cfg configuration; cfg config; cmd command; conf configuration; config configuration; coord coordinate; cred credential;
db database; del delete; dep dependency; desc description; dest destination; dev development; dev developer; dir directory; dirs directory; dm direct message;
doc document; docs documentation; docs document; dst destination; env environment; err error; evt event; exec execute; ext extension; fn function; freq frequency; func function; gen generate;
geo geographic; hist history; id identifier; img image; info information; init initialize; inv invoice; k8s kubernetes; lang language; lib library; loc location; lat latitude; lng longitude;
max maximum; mem memory; meta metadata; mgmt management; min minimum; misc miscellaneous; mr merge request; msg message; msgs message; nav navigation; notif notification; num number;
obj object; org organization; org organisation; orgs organization; params parameter; param parameter; perf performance; perm permission; perms permission; pkg package; pic picture; pos position; pr pull request;
prev previous; prod production; prod product; proj project; prop property; props property; pub publish; pwd password; qty quantity; ref reference; repo repository; repos repository; req request; res resource;
resp response; sched schedule; sec security; sess session; spec specification; src source; stat statistic; stats statistic; sub subscription; svc service; sync synchronize; sys system;
temp temperature; temp temporary; tkt ticket; tx transaction; txn transaction; upd update; usr user; util utility; val value; var variable; ver version; vid video; vm virtual machine; wf workflow; ws workspace`)

// synonyms are general English words that mean the same to somebody who looks
// for a function. They count much less than the word itself.
var synonyms = groups(`
get fetch retrieve read show view load; list enumerate browse all; find search lookup query locate; create add new make insert open; update edit modify change set patch;
delete remove erase drop destroy trash; send post deliver submit dispatch; mail email; start run begin launch trigger execute; stop end halt cancel abort kill terminate; close finish complete resolve done;
file document; folder directory; picture image photo; user member account person people; group team; comment reply note; issue ticket bug task; copy duplicate clone; move transfer; rename relabel;
upload import; download export; meeting event appointment; alert alarm incident notification; chat message; customer client; bill invoice; pay charge payment; login signin authenticate; job task run; ask question`)

// meaning is a word or phrase that a query word also stands for.
type meaning struct {
	words  []string // stems
	weight float64
}

const (
	abbreviationWeight = 0.9
	synonymWeight      = 0.3
)

// pairs reads "short long words; …" in both directions.
func pairs(list string) map[string][]meaning {
	m := map[string][]meaning{}
	for _, p := range strings.Split(list, ";") {
		w := strings.Fields(p)
		if len(w) < 2 {
			continue
		}
		long := make([]string, 0, len(w)-1)
		for _, l := range w[1:] {
			long = append(long, stem(l))
		}
		m[stem(w[0])] = append(m[stem(w[0])], meaning{long, abbreviationWeight})
		if len(long) == 1 {
			m[long[0]] = append(m[long[0]], meaning{[]string{stem(w[0])}, abbreviationWeight})
		}
	}
	return m
}

// groups reads "word word …; …", each word standing for the others.
func groups(list string) map[string][]meaning {
	m := map[string][]meaning{}
	for _, g := range strings.Split(list, ";") {
		for _, a := range strings.Fields(g) {
			for _, b := range strings.Fields(g) {
				if a != b {
					m[stem(a)] = append(m[stem(a)], meaning{[]string{stem(b)}, synonymWeight})
				}
			}
		}
	}
	return m
}

// phrases maps a long form of several words to its abbreviation: pull request →
// pr. Of several abbreviations it is the first by name.
var phrases = func() map[string]string {
	m := map[string]string{}
	for _, short := range sortedNames(abbreviations) {
		for _, x := range abbreviations[short] {
			if phrase := strings.Join(x.words, " "); len(x.words) > 1 && m[phrase] == "" {
				m[phrase] = short
			}
		}
	}
	return m
}()

// meanings gives what else a word stands for.
func meanings(w string) []meaning {
	return append(append([]meaning(nil), abbreviations[w]...), synonyms[w]...)
}
