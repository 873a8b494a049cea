/// How many have watched something in a span of time.
package struct AudienceSum: Sendable, Hashable {
    /// The number of the day since 1970, in UTC; 0 for a sum of several days.
    package var day: Int64
    package var name: String
    /// The most viewers at a moment.
    package var peak: Int64
    /// The time that all viewers have watched together, in minutes.
    package var minutes: Int64
}
