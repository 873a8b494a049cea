import APIClient
import ArgumentParser
import JSONDocument

struct WebhookCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "webhook",
        abstract: "Send events of a running server to URLs, signed as in Standard Webhooks.",
        subcommands: [
            Add.self, ListCommand<List>.self, Show.self, Set.self, EachCommand<Remove>.self, Rotate.self, Test.self,
            ListCommand<Log>.self, Replay.self,
        ])

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Add a webhook, and print its secret, which is shown only once.")

        @OptionGroup var options: ServerOptions

        @Argument(help: "The address, such as https://example.org/antena.")
        var url: String

        @Option(help: "A description.")
        var description: String?

        @Option(
            help: ArgumentHelp(
                "Types of events or groups of them, such as channel or title.ready. (default: all)",
                valueName: "type,…"))
        var types: String?

        @Option(
            help: ArgumentHelp(
                "Subjects of the events, such as channel/canalA. (default: all)", valueName: "kind/name"))
        var resource: String?

        @Option(help: "The owner's account; the webhook receives only events that it may read. (default: the station)")
        var user: String?

        @Flag(help: "Print the whole webhook as JSON.")
        var json = false

        func run() async throws {
            let webhook = try await options.withClient {
                try await $0.createWebhook(
                    url, description: description, types: types?.split(separator: ",").map(String.init) ?? [],
                    resource: resource, for: user)
            }
            show(webhook, asJSON: json, "\(webhook.text("id")): added\n\(webhook.text("secret"))")
        }
    }

    struct List: ListedItems {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List webhooks, newest first.")

        func items(_ client: ServerClient) async throws -> [JSONNode] {
            try await client.list("/api/v1/webhooks")
        }

        static func table(_ items: [JSONNode]) -> String { WebhookTables.webhooks(items) }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show a webhook, and how many messages wait for it.")

        @OptionGroup var options: ServerOptions

        @Argument(help: "The ID of the webhook.")
        var id: String

        @Flag(help: "Print JSON instead of a table.")
        var json = false

        func run() async throws {
            let webhook = try await options.withClient { try await $0.webhook(id) }
            let pending = webhook["pending"]?.integer ?? 0
            show(webhook, asJSON: json, "\(WebhookTables.webhooks([webhook]))\n\(pending) messages wait")
        }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set", abstract: "Change a webhook, or turn it off or on.")

        @OptionGroup var options: ServerOptions

        @Argument(help: "The ID of the webhook.")
        var id: String

        @Option(help: "The new address.")
        var url: String?

        @Option(help: "A description.")
        var description: String?

        @Option(help: ArgumentHelp("Types of events or groups of them; \"all\" for all.", valueName: "type,…"))
        var types: String?

        @Option(help: ArgumentHelp("Subjects of the events; \"all\" for all.", valueName: "kind/name"))
        var resource: String?

        @Flag(inversion: .prefixedEnableDisable, help: "Send events, or send none.")
        var sending: Bool?

        @Flag(help: "Print the webhook as JSON.")
        var json = false

        private static let all = "all"

        func run() async throws {
            var fields: [JSONText.Field] = []
            if let url { fields.append(("url", .string(url))) }
            if let description { fields.append(("description", .string(description))) }
            if let types {
                let names = types == Self.all ? [] : types.split(separator: ",").map(String.init)
                fields.append(("types", .array(names.map(JSONText.string))))
            }
            if let resource { fields.append(("resource", resource == Self.all ? .null : .string(resource))) }
            if let sending { fields.append(("isEnabled", .boolean(sending))) }
            let changes = fields
            let webhook = try await options.withClient { try await $0.changeWebhook(id, changes) }
            show(webhook, asJSON: json, "\(id): \(WebhookTables.state(webhook))")
        }
    }

    struct Remove: NamedItems {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Remove webhooks with their logs.")
        static let result = "removed"

        @Argument(help: "IDs of webhooks.")
        var ids: [String]

        func apply(to id: String, _ client: ServerClient) async throws { try await client.removeWebhook(id) }
    }

    struct Rotate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rotate",
            abstract: "Replace the secret of a webhook, and print the new one.",
            discussion: "For a time, messages are also signed with the previous secret.")

        @OptionGroup var options: ServerOptions

        @Argument(help: "The ID of the webhook.")
        var id: String

        @Option(help: "Hours for which the previous secret also signs, from 0 to 168.")
        var keepHours = 24

        @Flag(help: "Print the whole webhook as JSON.")
        var json = false

        private static let secondsPerHour = 3_600

        func run() async throws {
            let webhook = try await options.withClient {
                try await $0.rotateWebhookSecret(
                    id, keepingPreviousFor: keepHours.multipliedReportingOverflow(by: Self.secondsPerHour).partialValue)
            }
            show(webhook, asJSON: json, webhook.text("secret"))
        }
    }

    struct Test: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "test",
            abstract: "Send a message of the type webhook.test now; fails if the webhook does not acknowledge it.")

        @OptionGroup var options: ServerOptions

        @Argument(help: "The ID of the webhook.")
        var id: String

        @Flag(help: "Print the delivery as JSON.")
        var json = false

        func run() async throws {
            let delivery = try await options.withClient { try await $0.testWebhook(id) }
            show(delivery, asJSON: json, "\(delivery.text("state")): \(WebhookTables.result(delivery))")
            if delivery["state"]?.string != "delivered" { throw ExitCode.failure }
        }
    }

    struct Log: ListedItems {
        static let configuration = CommandConfiguration(
            commandName: "log",
            abstract: "Print the deliveries of a webhook, newest first.")

        @Argument(help: "The ID of the webhook.")
        var id: String

        @Option(help: "pending, delivered, failed, withheld or missed. (default: all)")
        var state: String?

        @Option(help: "Maximum number of deliveries.")
        var limit = 20

        func validate() throws {
            guard limit > 0 else { throw ValidationError("--limit must be at least 1") }
        }

        func items(_ client: ServerClient) async throws -> [JSONNode] {
            try await client.webhookDeliveries(of: id, state: state, limit: limit)
        }

        static func table(_ items: [JSONNode]) -> String { WebhookTables.deliveries(items) }
    }

    struct Replay: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "replay",
            abstract: "Replay a delivery, after pending messages about the same resource.")

        @OptionGroup var options: ServerOptions

        @Argument(help: "The ID of the webhook.")
        var id: String

        @Argument(help: "The ID of the delivery.")
        var delivery: String

        @Flag(help: "Print the new delivery as JSON.")
        var json = false

        func run() async throws {
            let replayed = try await options.withClient { try await $0.replayWebhookDelivery(delivery, of: id) }
            show(replayed, asJSON: json, "\(replayed.text("id")): pending")
        }
    }
}

/// Prints what an operation has returned as JSON, or else a line about it.
private func show(_ node: JSONNode, asJSON: Bool, _ line: @autoclosure () -> String) {
    print(asJSON ? JSONText(node).rendered : line())
}
