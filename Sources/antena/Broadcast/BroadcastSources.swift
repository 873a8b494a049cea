import APIContract
import ArgumentParser
import Broadcaster
import Foundation

struct BroadcastSources: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sources", abstract: "List this machine's cameras, microphones and screens.")

    func run() async throws {
        try await BroadcastCommand.exiting {
            let display = ProcessInfo.processInfo.environment["DISPLAY"]
            print(SourceTable.text(try Broadcast.devices(display: display)))
        }
    }
}
