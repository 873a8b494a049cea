import APIClient
import APIContract
import APIDeclarations
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
            show(webhook, asJSON: json, "\(webhook.id ?? "-"): added\n\(webhook.secret ?? "-")")
        }
    }

    struct List: ListedItems {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List webhooks, newest first.")
        static let nothing = "no webhooks"

        func items(_ client: ServerClient) async throws -> [APIObject<WebhookFields>] { try await client.webhooks() }

        static func table(_ items: [APIObject<WebhookFields>]) -> String {
            WebhookTables.webhooks(items, nothing: nothing)
        }
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
            show(webhook, asJSON: json, "\(List.table([webhook]))\n\(webhook.pending ?? 0) messages wait")
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
            let types = types.map { $0 == Self.all ? [] : $0.split(separator: ",").map(String.init) }
            let change = WebhookChangeFields.request { change in
                [
                    url.map { change.url(WebhookURL($0)) }, description.map { change.description($0) },
                    types.map { change.types($0) },
                    resource.map { change.resource(WebhookResource($0 == Self.all ? nil : $0)) },
                    sending.map { change.isEnabled($0) },
                ]
            }
            let webhook = try await options.withClient { try await $0.changeWebhook(id, change) }
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
            show(webhook, asJSON: json, webhook.secret ?? "-")
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
            show(delivery, asJSON: json, "\(delivery.state ?? "-"): \(WebhookTables.result(delivery))")
            if delivery.state != "delivered" { throw ExitCode.failure }
        }
    }

    struct Log: ListedItems {
        static let configuration = CommandConfiguration(
            commandName: "log",
            abstract: "Print the deliveries of a webhook, newest first.")
        static let nothing = "no deliveries"

        @Argument(help: "The ID of the webhook.")
        var id: String

        @Option(help: "pending, delivered, failed, withheld or missed. (default: all)")
        var state: String?

        @Option(help: "Maximum number of deliveries.")
        var limit = 20

        func validate() throws {
            guard limit > 0 else { throw ValidationError("--limit must be at least 1") }
        }

        func items(_ client: ServerClient) async throws -> [APIObject<WebhookDeliveryFields>] {
            try await client.webhookDeliveries(of: id, state: state, limit: limit)
        }

        static func table(_ items: [APIObject<WebhookDeliveryFields>]) -> String {
            WebhookTables.deliveries(items, nothing: nothing)
        }
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
            show(replayed, asJSON: json, "\(replayed.id ?? "-"): pending")
        }
    }
}

/// Prints what an operation has returned as JSON, or else a line about it.
private func show(_ answer: some APIValue, asJSON: Bool, _ line: @autoclosure () -> String) {
    print(asJSON ? answer.json.rendered : line())
}
