/// Groups of jobs that run one after the other. Work of milliseconds does not wait for work of seconds, and that not
/// for work of hours.
package enum JobLane: Sendable, Hashable, CaseIterable {
    /// Reads the indexes of titles that may play without conversion.
    case indexing
    /// Tracks and posters.
    case short
    case conversion
    /// Work that nobody waits for.
    case background
    case download
    /// Ladders. Each uses all cores, so titles are processed one after the other.
    case ladder
}
