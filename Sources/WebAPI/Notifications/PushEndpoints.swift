import APIContract
import APIDeclarations
import Accounts
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import JSONDocument
import MediaCore
import Notifications
import SiteTexts
import WebPush

/// The browsers of a member that want push messages: `/api/v1/me/push-subscriptions`.
struct PushEndpoints: Sendable {
    let notifications: Notifications
    /// The public key for new subscriptions; `nil` for a server that sends no push messages.
    let publicKey: String?

    private static let reason = "the caller's own browsers"
    private static let changing = AccessRule.member(.manage, reason: reason)

    var endpoints: [Endpoint] {
        [
            Endpoint(NotificationAPI.listPushSubscriptions, .member(.read, reason: Self.reason)) { _, caller in
                let (notifications, user, publicKey) = try required(caller)
                let items = try await notifications.subscriptions(of: user).map(Self.resource)
                return PushSubscriptionListFields.object {
                    [$0.publicKey(publicKey), $0.items(items), $0.next(.null)]
                }.response()
            },
            Endpoint(NotificationAPI.addPushSubscription, Self.changing, handler: subscribe),
            Endpoint(NotificationAPI.deletePushSubscription, Self.changing) { _, caller in
                let (notifications, user, _) = try required(caller)
                guard let id = OpaqueID(parsing: try caller.parameters.require("id")) else {
                    throw Refusal(.notFound, "you have no such device")
                }
                try await notifications.unsubscribe(id, of: user)
                return Response(status: .noContent)
            },
        ]
    }

    private func required(_ caller: GatewayRequestContext) throws -> (Notifications, UserID, String) {
        guard let publicKey else {
            throw ProblemDetails(.notFound, "this server sends no push messages; start it with --public-url https://…")
        }
        return (notifications, try caller.caller.requireMember().id, publicKey)
    }

    private func subscribe(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let body = try await BodyFields(request, NewPushSubscriptionFields.self)
        let (notifications, _, _) = try required(caller)
        let keys = try Self.keys(try body.required(\.p256dh), try body.required(\.auth))
        let subscription = try await notifications.subscribe(
            try body.required(\.endpoint), keys,
            language: SiteLanguage.preferred(request.headers[.acceptLanguage]).rawValue, by: caller.caller)
        return Self.resource(subscription).response(status: .created)
    }

    /// - Throws: `Refusal` with `invalidField`.
    private static func keys(_ publicKey: String, _ authentication: String) throws(Refusal) -> PushKeys {
        do {
            return try PushKeys(p256dh: publicKey, auth: authentication)
        } catch {
            throw Refusal(.invalidField, error.reason, fields: ["p256dh", "auth"])
        }
    }

    /// The JSON of a browser. The address and the keys are its secrets, so the host alone is shown.
    private static func resource(_ subscription: PushSubscription) -> APIObject<PushSubscriptionFields> {
        PushSubscriptionFields.object {
            [
                $0.id(subscription.id.text), $0.service(subscription.service), $0.language(subscription.language),
                $0.createdAt(APIResources.time(subscription.createdAt)),
            ]
        }
    }
}
