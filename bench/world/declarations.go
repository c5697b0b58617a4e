package world

// declarations lists the ten services, in the order in which they are mounted.
func declarations() []declaration {
	return []declaration{
		github(), linear(), email(), slack(), notion(), jira(), sentry(), pagerduty(), calendar(), filesystem(),
	}
}
