package provider

import (
	"slices"

	"casebook/engine/evidence"
)

// Missing returns the requested URLs that no returned document belongs to, in their order (contract section 6.0).
func Missing(urls []string, items []Item) []string {
	partner := match(urls, items)
	missing := []string{}
	for i, url := range urls {
		if !slices.Contains(partner, i) {
			missing = append(missing, url)
		}
	}
	return missing
}

// match gives for each item the place of its requested URL, -1 for none: by equal bytes, then by equal canonical URL,
// then what is left on both sides in order.
func match(urls []string, items []Item) []int {
	partner := make([]int, len(items))
	for i := range partner {
		partner[i] = -1
	}
	taken := make([]bool, len(urls))
	pair := func(same func(url, returned string) bool) {
		for u, url := range urls {
			for i := range items {
				if !taken[u] && partner[i] < 0 && same(url, items[i].URL) {
					partner[i], taken[u] = u, true
				}
			}
		}
	}
	pair(func(url, returned string) bool { return url == returned })
	pair(func(url, returned string) bool {
		return returned != "" && evidence.CanonicalURL(url, false) == evidence.CanonicalURL(returned, false)
	})
	pair(func(string, string) bool { return true })
	return partner
}
