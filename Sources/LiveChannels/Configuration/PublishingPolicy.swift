/// Rules for publishing to a channel: who may publish, and what happens to a second publisher.
package struct PublishingPolicy: Sendable, Hashable {
    /// The clients that may publish.
    package enum Access: Sendable, Hashable {
        /// Anyone on this machine, and nobody else.
        case loopback
        /// Accounts that may publish to the channel, by app password or API token.
        case accounts
        case anyone
        /// Anyone who knows one of these credentials; they are required on this machine, too.
        case credentials([PublisherCredential])
    }

    /// The treatment of a second publisher.
    package enum SecondPublisher: String, Sendable, Hashable, CaseIterable {
        /// The first one keeps the channel, as long as it sends.
        case refuse
        /// The first one is ended, with a reason. This suits encoders that come back before their old connection is
        /// known to be dead.
        case takeOver
        /// The second one is accepted, and is shown when the first one has ended.
        case queue
    }

    package var access: Access
    package var secondPublisher: SecondPublisher
    /// True if a push that exceeds its preset is ended; see `PresetEnforcement`.
    package var enforcesPreset: Bool

    package init(
        access: Access = .loopback, secondPublisher: SecondPublisher = .refuse, enforcesPreset: Bool = false
    ) {
        self.access = access
        self.secondPublisher = secondPublisher
        self.enforcesPreset = enforcesPreset
    }
}
