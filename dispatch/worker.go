package dispatch

// worker is a server that is a goroutine parked beside the program. It serves
// programs that do not run under [Run.Host]. A goroutine, a timer and a context
// for each call would cost more than most functions in process do.
type worker struct {
	jobs chan *seat
	wake chan struct{}
	late *stragglers
	gone bool // the handler ended the goroutine; read by the program after a wake
}

func startWorker(late *stragglers) *worker {
	w := &worker{jobs: make(chan *seat, 1), wake: make(chan struct{}, 1), late: late}
	go w.loop()
	return w
}

func (w *worker) do(s *seat) {
	w.jobs <- s
	<-w.wake
}

func (w *worker) goOn(bool) { w.wake <- struct{}{} }

func (w *worker) close() { close(w.jobs) }

// loop runs jobs until the channel is closed or one of them was given up.
func (w *worker) loop() {
	for s := range w.jobs {
		if !w.serve(s) {
			return
		}
	}
}

// serve runs one job and reports whether the worker goes on.
func (w *worker) serve(s *seat) bool {
	if !s.accept() {
		return false // withdrawn; the program has been told
	}
	j := s.job
	rep := reply{err: errGoexit, end: crashed}
	ended := false
	defer func() {
		if !ended { // runtime.Goexit: the handler wants this goroutine dead
			w.gone = true
			w.leave(s, j, rep)
		}
	}()
	rep = j.run()
	ended = true
	return w.leave(s, j, rep)
}

// leave gives the reply to the program, or counts the handler as returned if the
// program has gone on without it.
func (w *worker) leave(s *seat, j job, rep reply) bool {
	if !s.settle(j.number, rep) {
		w.late.add(j.fn, -1)
		return false
	}
	w.wake <- struct{}{}
	return true
}
