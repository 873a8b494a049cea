import APIContract
import ArgumentParser
import Broadcaster
import Foundation
import Gateway

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

struct BroadcastAbout: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "about", abstract: "Show name, version and author.")

    func run() { print("\(Product.name) \(Product.version), by \(Product.author)") }
}
