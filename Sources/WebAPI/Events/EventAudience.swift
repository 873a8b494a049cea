import Accounts
import Events
import HTTPEndpoints
import HTTPTypes
import NIOCore
import Webhooks

/// A listener's filter and permissions for events.
struct EventAudience: Sendable {
    let authority: RequestAuthority
    /// The events that there are, and who may hear them.
    let kinds: EventKinds
    /// The header of the request, with its credential.
    let fields: HTTPFields
    let peer: SocketAddress?
    let filter: EventFilter

    /// The events of a list that the listener wants and may be told of, in the format of `text/event-stream`.
    ///
    /// - Returns: `nil` if the credential of the listener has ended, or if there are events and it cannot be checked;
    ///   the listener comes back and gets them then. One who gets nothing stays while the database is away.
    func texts(of events: [Event]) async -> String? {
        allowed(of: events, await rights())?.map(\.text).joined()
    }

    /// The events of a list that the listener wants and may be told of.
    ///
    /// - Parameters:
    ///   - events: the events in their order.
    ///   - rights: what somebody with the credential of the listener may be told of.
    /// - Returns: `nil` like ``texts(of:)``.
    func allowed(of events: [Event], _ rights: Rights) -> [Event]? {
        switch rights {
        case .ended: nil
        case .unknown: events.isEmpty ? [] : nil
        case .known(let visibility): events.filter { filter.includes($0) && visibility.includes($0.subject) }
        }
    }

    /// The rights of a credential to events at this moment.
    enum Rights: Sendable {
        case known(EventVisibility)
        /// The credential has ended.
        case ended
        /// The credential cannot be checked, for example because the database does not answer.
        case unknown
    }

    /// Finds out what the listener may be told of, whatever it wants.
    func rights() async -> Rights {
        do {
            let identity = try await authority.identify(fields, from: peer)
            guard !identity.hasStaleCookie else { return .ended }
            return .known(
                EventVisibility(
                    identity.caller.principal, kinds, permissions: identity.permissions, audiences: identity.audiences))
        } catch is ProblemDetails {
            return .ended
        } catch {
            return .unknown
        }
    }

    /// The same audience with as much of the header as it needs, for a long time.
    func identified(by authority: RequestAuthority) -> EventAudience {
        EventAudience(
            authority: authority, kinds: kinds, fields: authority.identifyingFields(in: fields), peer: peer,
            filter: filter)
    }
}
