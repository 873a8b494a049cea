import APIClient
import ArgumentParser
import Foundation
import JSONDocument
import OfflineDownloads

struct DownloadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "download",
        abstract: "Keep rented titles on this machine, and play them without a network.",
        discussion: "Register the machine first: antena device add NAME --server URL",
        subcommands: [
            Start.self, Offer.self, ListCommand<List>.self, EachCommand<Pause>.self, Resume.self, Play.self,
            EachCommand<DeleteCopies>.self, Sweep.self, Run.self, Settings.self,
        ], defaultSubcommand: Start.self)

    struct TransferOptions: ParsableArguments {
        @Option(help: "Connections for each download, 1 to 16.")
        var connections = OfflineLibrary.defaultConnectionCount

        func validate() throws {
            guard (1...OfflineLibrary.maximumConnectionCount).contains(connections) else {
                throw ValidationError("--connections is 1 to \(OfflineLibrary.maximumConnectionCount).")
            }
        }
    }

    struct Start: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "start",
            abstract: "Download the titles of rentals, several at a time.",
            discussion: """
                Ctrl-C interrupts; the same command, or "antena download resume", resumes at the last good chunk.
                """)

        @OptionGroup var offline: OfflineOptions
        @OptionGroup var transfer: TransferOptions

        @Option(help: "The rendition; \"antena download offer RENTAL\" lists them. (default: the best)")
        var rendition: String?

        @Argument(help: "IDs of rentals.")
        var rentals: [String]

        func run() async throws {
            let (rentals, rendition, connections) = (rentals, rendition, transfer.connections)
            try await offline.withSweeps { library in
                let display = DownloadDisplay()
                try await DownloadCommand.each(rentals) { rental in
                    let copy = try await library.add(rental: rental, rendition: rendition) {
                        display.show($0, of: rental)
                    }
                    try await library.setPaused(false, copy)
                    try await library.download(copy, connectionCount: connections) { display.show($0, of: rental) }
                }
            }
        }
    }

    struct Offer: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "offer",
            abstract: "List the renditions of a rental with the sizes of their copies.")

        @OptionGroup var offline: OfflineOptions

        @Argument(help: "The ID of the rental.")
        var rental: String

        @Flag(help: "Print JSON instead of a table.")
        var json = false

        func run() async throws {
            let offer = try await offline.withLibrary { try await $0.offer(rental: rental) }
            if json { return print(JSONText(offer).rendered) }
            var table = TextTable("RENDITION", "SIZE", "WIDTH", "HEIGHT", "STATE")
            for rendition in offer["renditions"]?.elements ?? [] {
                table.add(
                    rendition.text("rendition"), DownloadDisplay.size(Int64(rendition["byteCount"]?.integer ?? 0)),
                    rendition.text("width"), rendition.text("height"), rendition.text("state"))
            }
            print("\(offer.text("name"))\n\(table.text)")
        }
    }

    struct List: ListedItems {
        typealias Source = OfflineOptions

        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the copies on this machine.")
        static let nothing = "no copies"

        func items(_ library: OfflineLibrary) async throws -> [CopySummary] { try await library.summaries() }
    }

    /// Copies to which the same is done one after the other.
    struct Copies: ParsableArguments {
        @Argument(help: "IDs of copies or rentals.")
        var ids: [String]
    }

    struct Pause: NamedCopies {
        static let configuration = CommandConfiguration(
            commandName: "pause",
            abstract: "Pause downloads, including those of a running command.")
        static let result = "paused"

        @OptionGroup var copies: Copies

        func apply(to copy: StoredCopy, _ library: OfflineLibrary) async throws {
            try await library.setPaused(true, copy)
        }
    }

    struct Resume: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "resume",
            abstract: "Resume downloads at the last good chunk, and fetch damaged chunks again.")

        @OptionGroup var offline: OfflineOptions
        @OptionGroup var transfer: TransferOptions

        @Argument(help: "IDs of copies or rentals. (default: all that are not paused)")
        var copies: [String] = []

        func run() async throws {
            let (names, connections) = (copies, transfer.connections)
            try await offline.withSweeps { library in
                try await DownloadCommand.resume(names, connections, library)
            }
        }
    }

    struct Play: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "play",
            abstract: "Play a copy: print the address of a playlist on this machine for any HLS player.",
            discussion: "Ctrl-C ends it. With --player, it starts a player and ends with it.")

        @OptionGroup var offline: OfflineOptions

        @Option(
            help: ArgumentHelp("A program that gets the address as its argument, such as mpv.", valueName: "program"))
        var player: String?

        @Argument(help: "The ID of a copy or rental.")
        var copy: String

        func run() async throws {
            let (name, player) = (copy, player)
            try await offline.withSweeps { library in
                let copy = try await library.copy(name)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    let (addresses, address) = AsyncStream.makeStream(of: String.self)
                    group.addTask {
                        try await library.play(copy) { problem in
                            try? FileHandle.standardError.write(contentsOf: Data("\(problem.description)\n".utf8))
                        } onStart: {
                            print($0)
                            fflush(nil)
                            address.yield($0)
                        }
                    }
                    guard let player else { return try await group.waitForAll() }
                    group.addTask {
                        for await address in addresses {
                            try await DownloadCommand.run(player, address)
                            return
                        }
                    }
                    try await group.next()
                    group.cancelAll()
                }
            }
        }
    }

    struct DeleteCopies: NamedCopies {
        static let configuration = CommandConfiguration(
            commandName: "delete", abstract: "Delete copies from this machine, with their keys and details.")
        static let result = "deleted"

        @OptionGroup var copies: Copies

        func apply(to copy: StoredCopy, _ library: OfflineLibrary) async throws { try await library.delete(copy) }
    }

    struct Sweep: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "sweep",
            abstract: "Delete the copies of ended rentals; every other command also does this.")

        @OptionGroup var offline: OfflineOptions

        func run() async throws { try await offline.withLibrary { _ in } }
    }

    struct Run: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "run",
            abstract: "Run in the background: every minute, resume interrupted downloads and delete expired copies.",
            discussion: "\"antena download settings --resumes-by-itself false\" leaves downloads alone.")

        @OptionGroup var offline: OfflineOptions
        @OptionGroup var transfer: TransferOptions

        func run() async throws {
            let connections = transfer.connections
            try await offline.withSweeps { library in
                repeat {
                    // A server that is away now is asked again in a minute.
                    if let ended = try? await library.refresh() { try OfflineOptions.say(ended) }
                    if try await library.resumesByItself() {
                        // What fails now is tried again in a minute.
                        try? await DownloadCommand.resume([], connections, library)
                    }
                } while (try? await Task.sleep(for: OfflineLibrary.sweepInterval)) != nil
            }
        }
    }

    struct Settings: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "settings", abstract: "Show or change the settings of offline copies.")

        @OptionGroup var offline: OfflineOptions
        @OptionGroup var output: ResultOutput

        @Option(
            help: ArgumentHelp("Whether \"download run\" resumes interrupted downloads.", valueName: "true|false"))
        var resumesByItself: Bool?

        func run() async throws {
            let value = try await offline.withLibrary { library in
                if let resumesByItself { try await library.setResumesByItself(resumesByItself) }
                return try await library.resumesByItself()
            }
            print(
                output.json
                    ? JSONText.object([("resumesByItself", .boolean(value))]).rendered : "resumes by itself: \(value)")
        }
    }

    // MARK: Parts

    private static func resume(_ names: [String], _ connections: Int, _ library: OfflineLibrary) async throws {
        var copies: [StoredCopy] = []
        for name in names { copies.append(try await library.copy(name)) }
        for copy in copies { try await library.setPaused(false, copy) }
        if names.isEmpty { copies = try await library.interrupted() }
        let display = DownloadDisplay()
        try await each(copies) { copy in
            try await library.download(copy, connectionCount: connections) { display.show($0, of: copy.id) }
        }
    }

    /// Does something with each of some things at the same time; one that fails does not stop the others.
    ///
    /// - Throws: ``CommandFailure`` with all that failed.
    private static func each<Item: Sendable>(
        _ items: [Item], _ body: @escaping @Sendable (Item) async throws -> Void
    ) async throws {
        let failures = await withTaskGroup(of: String?.self) { group in
            for item in items {
                group.addTask {
                    do {
                        try await body(item)
                        return nil
                    } catch {
                        return "\(error)"
                    }
                }
            }
            return await group.compactMap(\.self).reduce(into: [String]()) { $0.append($1) }
        }
        guard failures.isEmpty else { throw CommandFailure(failures.joined(separator: "\n")) }
    }

    /// Runs a player until it ends.
    private static func run(_ player: String, _ address: String) async throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [player, address]
        // The address is on standard output already.
        process.standardOutput = FileHandle.standardError
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            process.terminationHandler = { _ in continuation.resume() }
            do {
                try process.run()
            } catch {
                process.terminationHandler = nil
                continuation.resume(
                    throwing: CommandFailure("\(player) cannot be started: \(error.localizedDescription)"))
            }
        }
    }
}
