package import APIContract
package import APIDeclarations

/// The tables of `antena webhook`.
package enum WebhookTables {
    /// - Parameters:
    ///   - webhooks: the rows.
    ///   - nothing: the text instead of a table without rows.
    package static func webhooks(_ webhooks: [APIObject<WebhookFields>], nothing: String) -> String {
        var table = TextTable("ID", "URL", "TYPES", "RESOURCE", "OWNER", "STATE")
        for webhook in webhooks {
            let types = webhook.types ?? []
            table.add(
                webhook.id ?? "-", TextTable.short(webhook.url ?? "-"),
                types.isEmpty ? "all" : TextTable.short(types.joined(separator: ",")), webhook.resource ?? "all",
                webhook.owner ?? "-", state(webhook))
        }
        return table.isEmpty ? nothing : table.text
    }

    /// - Parameters:
    ///   - deliveries: the rows.
    ///   - nothing: the text instead of a table without rows.
    package static func deliveries(_ deliveries: [APIObject<WebhookDeliveryFields>], nothing: String) -> String {
        var table = TextTable("ID", "TYPE", "RESOURCE", "STATE", "ATTEMPTS", "CREATED", "RESULT")
        for delivery in deliveries {
            table.add(
                delivery.id ?? "-", delivery.type ?? "-", TextTable.short(delivery.resource ?? "-"),
                delivery.state ?? "-", delivery.attempts.cell, delivery.createdAt?.text ?? "-",
                TextTable.short(result(delivery)))
        }
        return table.isEmpty ? nothing : table.text
    }

    /// The outcome of a delivery, such as `HTTP 204 in 12 ms`.
    package static func result(_ delivery: APIObject<WebhookDeliveryFields>) -> String {
        if let missed: Int = delivery.missed { return "at most \(missed) events are missing" }
        if let error: String = delivery.error { return error }
        guard let status: Int = delivery.status else { return "-" }
        let duration: Int? = delivery.milliseconds
        return "HTTP \(status)" + (duration.map { " in \($0) ms" } ?? "")
    }

    /// Whether a webhook is sent events, and why not.
    package static func state(_ webhook: APIObject<WebhookFields>) -> String {
        if let reason: String = webhook.disabledReason { return "disabled (\(reason))" }
        return webhook.failingSince.map { "failing since \($0.text)" } ?? "enabled"
    }
}
