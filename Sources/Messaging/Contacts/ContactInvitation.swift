package import Accounts
package import MediaCore

/// An invitation to become contacts.
package struct ContactInvitation: Sendable, Hashable {
    /// The state of an invitation. The texts are stored and never change.
    package enum State: String, Sendable, Hashable {
        case open, accepted, refused
    }

    package var number: Int64
    package var id: OpaqueID
    package var sender: NamedMember
    package var receiver: NamedMember
    package var text: String
    package var sentAt: WallClockTime
    package var state: State
}
