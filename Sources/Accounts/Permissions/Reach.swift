/// How far a permission goes.
enum Reach: UInt8, Sendable, Comparable {
    case none
    /// The caller's own resources.
    case own
    /// The caller's own resources, and those with an audience that includes the caller.
    case open
    case any

    static func < (lhs: Reach, rhs: Reach) -> Bool { lhs.rawValue < rhs.rawValue }
}
