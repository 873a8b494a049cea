import ArgumentParser
import Broadcaster
import Foundation
import Gateway
import LibAV

struct BroadcastSources: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sources", abstract: "List this machine's cameras, microphones and screens.")

    func run() async throws {
        try await BroadcastCommand.exiting {
            let listing: CaptureDeviceListing
            do {
                listing = try CaptureDeviceListing.read(display: ProcessInfo.processInfo.environment["DISPLAY"])
            } catch let error as LibAVError {
                throw BroadcastError(error)
            }
            print(SourceTable.text(listing))
        }
    }
}

struct BroadcastAbout: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "about", abstract: "Name, version and author.")

    func run() { print("\(Product.name) \(Product.version), by \(Product.author)") }
}
