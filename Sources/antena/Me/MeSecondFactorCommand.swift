import APIClient
import APIContract
import APIDeclarations
import ArgumentParser
import Foundation
import JSONDocument

struct MeSecondFactorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "second-factor", abstract: "Show, set up and turn off the second factor of your account.",
        subcommands: [Status.self, TurnOn.self, TurnOff.self])

    struct Status: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "status", abstract: "Show whether your account has a second factor.")

        @OptionGroup var options: SessionOptions
        @OptionGroup var output: ResultOutput

        func run() async throws {
            let status = try await options.withClient { try await $0.ownSecondFactor() }
            let isOn = status.isOn == true
            output.print(status, isOn ? "on, \(status.recoveryCodes ?? 0) recovery codes are left" : "off")
        }
    }

    struct TurnOn: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "on", abstract: "Set up a second factor, and print the recovery codes.",
            discussion: """
                Prints an address for an authenticator; then reads the code that it shows, on a line after that of the \
                password.
                """)

        @OptionGroup var options: SessionOptions
        @OptionGroup var output: ResultOutput

        func run() async throws {
            let password = try PasswordInput.read()
            let address = try await options.withClient { try await $0.beginOwnSecondFactor(password: password) }
            output.print(field: "uri", address)
            // A program that reads it answers with the code.
            fflush(nil)
            let code = try PasswordInput.read(prompt: "Code that the authenticator shows: ")
            let codes = try await options.withClient { try await $0.confirmOwnSecondFactor(code: code) }
            print(
                output.json
                    ? JSONText.object([("recoveryCodes", .array(codes.map(JSONText.string)))]).rendered
                    : codes.joined(separator: "\n"))
        }
    }

    struct TurnOff: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "off", abstract: "Turn the second factor off.")

        @OptionGroup var options: SessionOptions
        @OptionGroup var output: ResultOutput

        func run() async throws {
            let password = try PasswordInput.read()
            try await options.withClient { try await $0.turnOffOwnSecondFactor(password: password) }
            output.print("second factor", "off")
        }
    }
}
