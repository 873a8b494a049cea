package import JSONDocument

/// The tables of `antena webhook`.
package enum WebhookTables {
    /// - Parameter webhooks: webhooks in the API's representation.
    package static func webhooks(_ webhooks: [JSONNode]) -> String {
        var table = TextTable("ID", "URL", "TYPES", "RESOURCE", "OWNER", "STATE")
        for webhook in webhooks {
            let types = webhook["types"]?.elements?.compactMap(\.string) ?? []
            table.add(
                webhook.text("id"), TextTable.short(webhook.text("url")),
                types.isEmpty ? "all" : TextTable.short(types.joined(separator: ",")),
                webhook["resource"]?.string ?? "all", webhook["owner"]?.string ?? "-", state(webhook))
        }
        return table.isEmpty ? "no webhooks" : table.text
    }

    /// - Parameter deliveries: deliveries in the API's representation.
    package static func deliveries(_ deliveries: [JSONNode]) -> String {
        var table = TextTable("ID", "TYPE", "RESOURCE", "STATE", "ATTEMPTS", "CREATED", "RESULT")
        for delivery in deliveries {
            table.add(
                delivery.text("id"), delivery.text("type"), TextTable.short(delivery.text("resource")),
                delivery.text("state"), delivery["attempts"]?.integer.map { "\($0)" } ?? "-",
                delivery.text("createdAt"), TextTable.short(result(delivery)))
        }
        return table.isEmpty ? "no deliveries" : table.text
    }

    /// The outcome of a delivery, such as `HTTP 204 in 12 ms`.
    package static func result(_ delivery: JSONNode) -> String {
        if let missed = delivery["missed"]?.integer { return "at most \(missed) events are missing" }
        if let error = delivery["error"]?.string { return error }
        guard let status = delivery["status"]?.integer else { return "-" }
        return "HTTP \(status)" + (delivery["milliseconds"]?.integer.map { " in \($0) ms" } ?? "")
    }

    /// Whether a webhook is sent events, and why not.
    package static func state(_ webhook: JSONNode) -> String {
        if let reason = webhook["disabledReason"]?.string { return "disabled (\(reason))" }
        return webhook["failingSince"]?.string.map { "failing since \($0)" } ?? "enabled"
    }
}
