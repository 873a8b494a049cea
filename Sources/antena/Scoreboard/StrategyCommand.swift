import APIClient
import APIContract
import APIDeclarations
import ArgumentParser
import JSONDocument

struct StrategyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "strategy", abstract: "List your drawings on courts, and show them on boards.",
        subcommands: [
            ListCommand<List>.self, ShowCommand<Show>.self, EachCommand<Delete>.self, Display.self, Hide.self,
        ])

    struct List: ListedItems {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List your drawings, newest first.")
        static let nothing = "no drawings"

        @OptionGroup var limit: LimitOption

        func items(_ client: ServerClient) async throws -> [APIObject<StrategyFields>] {
            try await client.strategies(limit: limit.limit)
        }
    }

    struct Show: ShownItem {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show a drawing; its lines with --json.")

        @Argument(help: "The ID of the drawing.")
        var id: String

        func item(_ client: ServerClient) async throws -> APIObject<StrategyDrawingFields> {
            try await client.strategy(id)
        }

        static func text(_ item: APIObject<StrategyDrawingFields>) -> String {
            "\(item.strategyName ?? "-"), \(item.court ?? "-"), \(item.strokes?.count ?? 0) strokes"
        }
    }

    struct Delete: NamedItems {
        static let configuration = CommandConfiguration(commandName: "delete", abstract: "Delete drawings.")
        static let result = "deleted"

        @Argument(help: "IDs of drawings.")
        var ids: [String]

        func apply(to id: String, _ client: ServerClient) async throws { try await client.deleteStrategy(id) }
    }

    struct Display: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "display", abstract: "Show a drawing on the board of a channel.")

        @OptionGroup var options: ServerOptions

        @Argument(help: "The name of the channel.")
        var channel: String

        @Argument(help: "The ID of the drawing.")
        var id: String

        func run() async throws {
            try await options.withClient { client in
                let drawing = try await client.strategy(id)
                let shown = ShownStrategyChangeFields.request { fields in
                    [fields.court(drawing.court), fields.strokes(drawing.strokes ?? [])]
                }
                try await client.showStrategy(shown, onChannel: channel)
            }
            print("\(channel): shown")
        }
    }

    struct Hide: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "hide", abstract: "Hide the drawing on the board of a channel.")

        @OptionGroup var options: ServerOptions

        @Argument(help: "The name of the channel.")
        var channel: String

        func run() async throws {
            try await options.withClient { try await $0.hideStrategy(ofChannel: channel) }
            print("\(channel): hidden")
        }
    }
}
