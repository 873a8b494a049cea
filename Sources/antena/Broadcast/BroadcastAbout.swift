import APIContract
import ArgumentParser
import Gateway

struct BroadcastAbout: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "about", abstract: "Show name, version and author.")

    func run() { print("\(Product.name) \(Product.version), by \(Product.author)") }
}
