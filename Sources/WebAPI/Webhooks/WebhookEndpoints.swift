import APIContract
import APIDeclarations
package import Accounts
import Events
package import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore
package import Webhooks

/// `/api/v1/webhooks`: addresses that are sent events (Standard Webhooks).
package struct WebhookEndpoints: Sendable {
    let webhooks: Webhooks
    private let accounts: Accounts

    /// - Parameters:
    ///   - webhooks: the receivers of events.
    ///   - accounts: their owners.
    package init(webhooks: Webhooks, accounts: Accounts) { (self.webhooks, self.accounts) = (webhooks, accounts) }

    private static let own = AccessRule.credentialed(
        .permission([.manage, .administer]),
        reason: "the caller's own webhooks; those of others need an administrator")
    /// Limit of the name of a resource.
    private static let maximumResourceLength = 200

    package var endpoints: [Endpoint] {
        [
            Endpoint(WebhookAPI.listWebhooks, Self.own, handler: list),
            Endpoint(WebhookAPI.createWebhook, Self.own, handler: create),
            Endpoint(WebhookAPI.getWebhook, Self.own) { _, context in
                try await answer(try Self.id(context), context)
            },
            Endpoint(WebhookAPI.changeWebhook, Self.own, handler: change),
            Endpoint(WebhookAPI.deleteWebhook, Self.own) { _, context in
                try await webhooks.remove(try Self.id(context), by: context.caller)
                return Response(status: .noContent)
            },
            Endpoint(WebhookAPI.replaceWebhookSecret, Self.own, handler: rotate),
            Endpoint(WebhookAPI.testWebhook, Self.own) { _, context in
                let delivery = try await webhooks.test(try Self.id(context), by: context.caller)
                return APIResources.webhookDelivery(delivery).response(status: .created)
            },
            Endpoint(WebhookAPI.listWebhookDeliveries, Self.own, handler: deliveries),
            Endpoint(WebhookAPI.replayWebhookDelivery, Self.own) { _, context in
                guard let delivery = OpaqueID(parsing: try context.parameters.require("delivery")) else {
                    throw Refusal(.notFound, "the webhook has no such delivery")
                }
                let replayed = try await webhooks.replay(
                    delivery, of: try Self.id(context), by: context.caller)
                return APIResources.webhookDelivery(replayed).response(status: .created)
            },
        ]
    }

    private static func id(_ context: GatewayRequestContext) throws -> OpaqueID {
        guard let id = OpaqueID(parsing: try context.parameters.require("id")) else {
            throw Refusal(.notFound, "there is no such webhook")
        }
        return id
    }

    // MARK: Reading

    private func list(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let page = try PageRequest(request)
        let found = try await webhooks.receivers(after: page.cursor, limit: page.limit, by: context.caller)
        let names = try await webhooks.usernames(of: Set(found.items.compactMap(\.owner)))
        return APIPage(
            found.items.map { receiver in
                APIResources.webhook(receiver, owner: receiver.owner.flatMap { names[$0] })
            }, next: found.next
        ).response()
    }

    private func answer(_ id: OpaqueID, _ context: GatewayRequestContext) async throws -> Response {
        let (receiver, pendingCount) = try await webhooks.receiver(id, by: context.caller)
        return try await answer(receiver, pendingCount: pendingCount)
    }

    private func answer(
        _ receiver: WebhookReceiver, pendingCount: Int? = nil, secret: WebhookSecret? = nil,
        status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let names = try await webhooks.usernames(of: Set([receiver.owner].compactMap(\.self)))
        return APIResources.webhook(
            receiver, owner: receiver.owner.flatMap { names[$0] }, pendingCount: pendingCount, secret: secret
        ).response(status: status).adding(.eTag, EntityTag(receiver.revision).field)
    }

    private func deliveries(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let page = try PageRequest(request)
        let found = try await webhooks.deliveries(
            of: try Self.id(context), try PageRequest.choice("state", in: request), after: page.cursor,
            limit: page.limit, by: context.caller)
        return APIPage(found.items.map(APIResources.webhookDelivery), next: found.next).response()
    }

    // MARK: Changing

    private func create(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let body = try await BodyFields(request, NewWebhookFields.self)
        var settings = WebhookSettings(
            url: try body.required(\.url), summary: try body.text(\.description) ?? "")
        settings.filter.types = Set(try body.texts(\.types) ?? [])
        settings.filter.subject = try subject(try body.text(\.resource))
        var owner: UserID?
        if let name = try body.text(\.user), !name.isEmpty {
            owner = try await accounts.account(named: name, by: context.caller).id
        }
        let (receiver, secret) = try await webhooks.create(settings, for: owner, by: context.caller)
        return try await answer(receiver, secret: secret, status: .created)
    }

    private func change(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let body = try await BodyFields(request, WebhookChangeFields.self)
        var change = WebhookChange()
        (change.url, change.summary) = (try body.text(\.url), try body.text(\.description))
        change.types = try body.texts(\.types).map { Set($0) }
        if body.has(\.resource) { change.subject = .some(try subject(try body.text(\.resource))) }
        change.isEnabled = try body.flag(\.isEnabled)
        let id = try Self.id(context)
        // Nobody learns from the answer that somebody else has a webhook.
        _ = try await webhooks.receiver(id, by: context.caller)
        return try await answer(
            try await webhooks.change(
                id, change, from: try IfMatch.required(in: request).revisions, by: context.caller))
    }

    /// The resource that the field `resource` names.
    private func subject(_ text: String?) throws -> EventSubject? {
        guard let text else { return nil }
        guard text.unicodeScalars.count <= Self.maximumResourceLength else {
            throw Refusal(
                .invalidField, "the field `resource` is limited to \(Self.maximumResourceLength) characters",
                fields: ["resource"])
        }
        return try EventSubject(parsing: text, among: webhooks.kinds, of: "resource")
    }

    private func rotate(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let body = try await BodyFields(request, SecretReplacementFields.self)
        let limit = Int(WebhookReceiver.maximumOverlap.seconds)
        let seconds = try body.integer(\.keepPreviousFor)
        guard seconds.map({ (0...limit).contains($0) }) ?? true else {
            throw Refusal(
                .invalidField, "the field `keepPreviousFor` must be a number of seconds from 0 to \(limit)",
                fields: ["keepPreviousFor"])
        }
        let (receiver, secret) = try await webhooks.rotateSecret(
            of: try Self.id(context),
            keepingPreviousFor: seconds.map { .seconds($0) } ?? WebhookReceiver.defaultOverlap,
            by: context.caller)
        return try await answer(receiver, secret: secret, status: .created)
    }
}
