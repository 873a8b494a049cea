import HTTPEndpoints
import JSONDocument
import LiveChannels
import ServerSettings
import Workflows

/// `channels.json` as a document that can be changed. What it says is checked by `ChannelsFile`.
struct ChannelsDocument: Sendable, Equatable {
    private(set) var json: JSONText

    init(_ document: JSONNode) { json = JSONText(document) }

    /// - Throws: `JSONFileError` if the text is not JSON.
    init(parsing text: [UInt8], file: String) throws(JSONFileError) {
        do {
            self.init(try JSONParser.parse(text))
        } catch {
            throw JSONFileError(
                file: file, issues: [JSONIssue(position: error.position, field: "", message: error.message)])
        }
    }

    /// The file's text after the changes.
    var text: [UInt8] { Array(json.pretty.utf8) }

    /// Members that are secrets or can be used like them; they are written and never shown.
    private static let secrets: Set<String> = ["password", "md5", "sha256", "clientSecret"]

    /// The document without secrets.
    var shown: JSONText { Self.withoutSecrets(json) }

    private static func withoutSecrets(_ json: JSONText) -> JSONText {
        switch json {
        case .array(let elements): .array(elements.map(withoutSecrets))
        case .members(let members):
            .members(
                members.filter { !secrets.contains($0.name) }.map {
                    JSONText.Member(name: $0.name, value: withoutSecrets($0.value))
                })
        default: json
        }
    }

    /// Values that lead to files of the machine: slates, covers and banners outside of the media folder, and identity
    /// providers, which get secrets out of files. An administrator who is not on the machine must not read its files by
    /// naming them.
    var references: Set<String> {
        var references: Set<String> = []
        if case .array(let providers) = json["accounts"]?["providers"] {
            references.formUnion(providers.map(\.rendered))
        }
        if case .array(let banners) = json["community"]?["banners"] {
            for banner in banners {
                guard case .string(let path) = banner["image"] else { continue }
                if Self.leavesMediaFolder(path) { references.insert(path) }
            }
        }
        for channel in channels {
            for field in ["slate", "cover"] {
                guard case .string(let path) = channel[field] else { continue }
                if field == "cover", ChannelCover.isAddress(path) { continue }
                if Self.leavesMediaFolder(path) { references.insert(path) }
            }
        }
        return references
    }

    private static func leavesMediaFolder(_ path: String) -> Bool {
        path.hasPrefix("/") || path.split(separator: "/").contains("..")
    }

    /// Carries out a change.
    ///
    /// - Throws: `ConfigurationError` if there is no such channel, or if the change is not possible.
    mutating func apply(_ edit: ConfigurationEdit) throws(ConfigurationError) {
        switch edit {
        case .settings(let patch):
            guard patch["channels"] == nil else {
                throw ConfigurationError(
                    .notPossible, "channels are changed one by one, at /api/v1/configuration/channels/{name}")
            }
            guard case .members = patch else {
                throw ConfigurationError(.notPossible, "the change must be an object with the settings to change")
            }
            json = json.merged(with: patch)
        case .setChannel(let name, let channel):
            var channel = try Self.checked(channel, name)
            channel["name"] = .string(name)
            var channels = channels
            if let index = index(of: name, in: channels) {
                channels[index] = Self.keepingSecrets(of: channels[index], in: channel)
            } else {
                channels.append(channel)
            }
            json["channels"] = .array(channels)
        case .changeChannel(let name, let patch):
            let patch = try Self.checked(patch, name)
            var channels = channels
            guard let index = index(of: name, in: channels) else { throw ConfigurationError.noSuchChannel(name) }
            channels[index] = channels[index].merged(with: Self.keepingSecrets(of: channels[index], in: patch))
            json["channels"] = .array(channels)
        case .removeChannel(let name):
            var channels = channels
            guard let index = index(of: name, in: channels) else { throw ConfigurationError.noSuchChannel(name) }
            channels.remove(at: index)
            json["channels"] = .array(channels)
        }
    }

    /// The channel with that name, without secrets; `nil` if there is none.
    func channel(named name: String) -> JSONText? {
        index(of: name, in: channels).map { Self.withoutSecrets(channels[$0]) }
    }

    private var channels: [JSONText] {
        guard case .array(let channels) = json["channels"] else { return [] }
        return channels
    }

    private func index(of name: String, in channels: [JSONText]) -> Int? {
        channels.firstIndex { $0["name"] == .string(name) }
    }

    private static func checked(_ channel: JSONText, _ name: String) throws(ConfigurationError) -> JSONText {
        guard case .members = channel else {
            throw ConfigurationError(.notPossible, "the body must be an object with the channel's fields")
        }
        guard channel["name"] == nil || channel["name"] == .string(name) else {
            throw ConfigurationError(
                .notPossible, "a channel cannot be renamed, because its name is part of URLs; add another one instead")
        }
        return channel
    }

    /// Publishers without a password get the one that they have: a client that has read the channel has not seen it.
    private static func keepingSecrets(of old: JSONText, in new: JSONText) -> JSONText {
        guard case .array(let publishers) = new["publishers"], case .array(let known) = old["publishers"] else {
            return new
        }
        var result = new
        result["publishers"] = .array(
            publishers.map { publisher in
                guard secrets.allSatisfy({ publisher[$0] == nil }),
                    let match = known.first(where: { $0["user"] == publisher["user"] })
                else { return publisher }
                var publisher = publisher
                for secret in ["password", "md5", "sha256"] { publisher[secret] = match[secret] }
                return publisher
            })
        return result
    }
}
