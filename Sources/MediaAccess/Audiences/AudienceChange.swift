package import Accounts

/// A new audience of a title or track.
package struct AudienceChange: Sendable, Hashable {
    /// `nil` for that of the section.
    package var audience: Audience?

    package init(_ audience: Audience?) { self.audience = audience }

    /// The name in the audit log.
    var text: String { audience?.rawValue ?? "section" }
}
