/// Whether others see a profile at all.
package enum ProfileState: String, Sendable, Hashable, CaseIterable {
    case shown
    /// Reports or a moderator have hidden it.
    case hidden
}
