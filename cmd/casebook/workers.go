package main

import "sync"

// worker is one of several that share work: do is called with the number of a piece, done after its last one.
type worker struct {
	do   func(i int)
	done func()
}

// share gives n pieces of work to up to jobs workers and waits for all of them.
func share(n, jobs int, hire func() worker) {
	next := make(chan int)
	var all sync.WaitGroup
	for range max(1, min(jobs, n)) {
		all.Go(func() {
			w := hire()
			for i := range next {
				w.do(i)
			}
			w.done()
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	all.Wait()
}
