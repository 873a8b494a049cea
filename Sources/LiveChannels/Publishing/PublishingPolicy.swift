/// Rules for publishing to a channel: who may publish, and what happens to a second publisher.
package struct PublishingPolicy: Sendable, Hashable {
    /// The clients that may publish.
    package enum Access: Sendable, Hashable {
        /// Anyone on this machine, and nobody else.
        case loopback
        case anyone
        /// Anyone who knows one of these credentials; they are required on this machine, too.
        case credentials([PublisherCredential])
    }

    /// The treatment of a second publisher.
    package enum SecondPublisher: String, Sendable, Hashable, CaseIterable {
        /// The first one keeps the channel.
        case refuse
        /// The first one is ended, with a reason. This suits encoders that come back before their old connection is
        /// known to be dead.
        case takeOver
        /// The second one is accepted, and is shown when the first one has ended.
        case queue
    }

    package var access: Access
    package var secondPublisher: SecondPublisher
    /// True if a push that exceeds its preset is ended; see ``PresetEnforcement``.
    package var enforcesPreset: Bool

    package init(
        access: Access = .loopback, secondPublisher: SecondPublisher = .refuse, enforcesPreset: Bool = false
    ) {
        self.access = access
        self.secondPublisher = secondPublisher
        self.enforcesPreset = enforcesPreset
    }
}

/// The digests that a publisher's password is checked against. The password itself is not kept: these digests are all
/// that Digest authentication needs (RFC 7616 §3.4.2). They are as good as the password on this realm, so they are
/// never shown either.
package struct PublisherCredential: Sendable, Hashable, CustomStringConvertible {
    /// The realm of every channel. It is part of the digests, so it cannot change while they are in use.
    package static let realm = "Antena"

    package var username: String
    /// H(username:realm:password) in lowercase hexadecimal digits, 32 of them.
    package var md5: String
    /// The same value with SHA-256: 64 digits.
    package var sha256: String

    package init(username: String, md5: String, sha256: String) {
        self.username = username
        self.md5 = md5
        self.sha256 = sha256
    }

    /// A description without the digests, which is safe to print.
    package var description: String { "publisher \"\(username)\"" }
}
