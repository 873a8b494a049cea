/// How often something may be tried; see ``AttemptLimiter``.
package struct AttemptLimits: Sendable, Hashable {
    /// Attempts within the window.
    package var maximumCount: Int
    package var window: Duration
    /// Attempts within the window that need not wait for each other.
    package var freeCount: Int
    /// Pause after the last free attempt; it doubles with each further one.
    package var firstPause: Duration
    package var maximumPause: Duration
    /// Keys that are remembered, of about 200 bytes each. The keys that were used the longest time ago are
    /// forgotten first.
    package var maximumKeyCount: Int

    package init(
        maximumCount: Int, window: Duration, freeCount: Int? = nil, firstPause: Duration = .seconds(1),
        maximumPause: Duration = .seconds(30), maximumKeyCount: Int = 20_000
    ) {
        (self.maximumCount, self.window, self.freeCount) = (maximumCount, window, freeCount ?? maximumCount)
        (self.firstPause, self.maximumPause) = (firstPause, maximumPause)
        self.maximumKeyCount = maximumKeyCount
    }
}
