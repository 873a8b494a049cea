package import Accounts
package import MediaCore
package import WebPush
import Foundation

/// A browser of a member that wants push messages.
package struct PushSubscription: Sendable, Hashable {
    package var id: OpaqueID
    /// The address at the push service, which is a secret: everybody who has it and the keys can send messages.
    package var endpoint: String
    package var keys: PushKeys
    /// The language of the messages, such as `es`.
    package var language: String
    package var createdAt: WallClockTime

    /// Limit of the browsers of a member; a further one takes the place of the oldest.
    package static let maximumCount = 20
    package static let maximumEndpointByteCount = 1_000

    /// The host of the push service.
    package var service: String { URL(string: endpoint)?.host(percentEncoded: false) ?? "" }

    package init(id: OpaqueID, endpoint: String, keys: PushKeys, language: String, createdAt: WallClockTime) {
        (self.id, self.endpoint, self.keys) = (id, endpoint, keys)
        (self.language, self.createdAt) = (language, createdAt)
    }
}
