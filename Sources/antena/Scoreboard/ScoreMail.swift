import APIClient
import APIContract
import APIDeclarations
import ArgumentParser
import JSONDocument

/// `antena score mail`.
struct ScoreMail: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mail", abstract: "Send results by e-mail, as a PDF file.")

    @OptionGroup var options: ServerOptions
    @OptionGroup var filter: ResultFilterOptions

    @Option(name: .customLong("to"), help: "The address of a recipient; several for several, up to 10.")
    var addresses: [String]

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        let sent = try await options.withClient { try await $0.mailResults(filter.filter, to: addresses) }
        let count = sent.count ?? 0
        print(json ? sent.json.rendered : count == 1 ? "1 mail waits to be sent" : "\(count) mails wait to be sent")
    }
}
