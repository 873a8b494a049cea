/// How far a permission goes.
enum Reach: UInt8, Sendable, Comparable {
    case none
    /// What belongs to the caller.
    case own
    /// What belongs to the caller, and what its audience includes the caller in.
    case open
    case any

    static func < (lhs: Reach, rhs: Reach) -> Bool { lhs.rawValue < rhs.rawValue }
}
