package import Accounts
import CEmbeddedFiles
import ChannelPublishing
import Workflows
import Foundation
package import HTTPEndpoints
package import IdentityProviders
package import JSONDocument
import LibAV
package import LiveChannels
package import MediaCore
import Packaging
import Transcoding
import VODLibrary

/// The content of `channels.json`, the file that operators edit.
package struct ChannelsFile: Sendable, Equatable {
    /// All presets, in the order of the file.
    package var presets: [QualityPreset]
    /// All channels, in the order of the file.
    package var channels: [ChannelConfiguration]
    /// How titles without a setting of their own are encrypted; `nil` if they are not.
    package var titleEncryption: EncryptionMethod?
    /// The presets of the ladder that is encoded for every title; empty means no ladder.
    package var ladder: [QualityPreset] = []
    /// libav's name of the ladder's encoder.
    package var ladderEncoder = LadderPolicy.defaultEncoder

    /// The operator's settings for accounts.
    package var accounts = AccountsSettings()
    /// The sections that features read themselves.
    private var sections: [Section: JSONNode] = [:]
    /// The look of the station on its pages.
    package var face = StationFace()
    /// The services with which people log in.
    package var providers: [IdentityProvider] = []
    /// The rules for audiences.
    package var audiences = AudienceRules()

    /// A section that the feature whose settings it holds reads.
    package enum Section: String, Sendable, CaseIterable { case videoClub, community }

    /// A section of the file, which has passed all checks; `nil` if the file does not have it.
    package func section(_ section: Section) -> JSONNode? { sections[section] }

    /// The JSON Schema that the loader checks; the file `channels.schema.json` beside `channels.json` is the same.
    package static var schemaText: [UInt8] { antena_channels_schema_json().content }

    /// Reads and checks the file; blocks.
    ///
    /// - Throws: `JSONFileError` with all mistakes, not only the first.
    package static func load(path: String) throws(JSONFileError) -> ChannelsFile {
        try parse(try read(path: path), file: path)
    }

    /// The bytes of the file; blocks.
    ///
    /// - Throws: `JSONFileError` if the file cannot be read or is too large.
    package static func read(path: String) throws(JSONFileError) -> [UInt8] {
        let message: String
        do {
            let handle = try FileHandle(forReadingFrom: URL(filePath: path))
            defer { try? handle.close() }
            let text = try handle.read(upToCount: maximumByteCount + 1) ?? Data()
            if text.count <= maximumByteCount { return Array(text) }
            message = "the file is larger than \(maximumByteCount >> 20) MiB"
        } catch {
            let isMissing = FileErrorText(error) == FileErrorText(POSIXError(.ENOENT))
            let reason = isMissing ? "there is no such file" : "cannot be read: \(FileErrorText(error))"
            message = "\(reason); give the path of channels.json with --channels or ANTENA_CHANNELS"
        }
        throw JSONFileError(
            file: path, issues: [JSONIssue(position: nil, field: "", message: message)])
    }

    /// Limit of the file, far more than 1,024 channels with all their fields need.
    private static let maximumByteCount = 16 << 20

    /// Checks the content of the file.
    ///
    /// - Parameters:
    ///   - text: the file's bytes.
    ///   - file: the file's path, for messages and for files that it names.
    /// - Throws: `JSONFileError` with all mistakes.
    package static func parse(_ text: some Sequence<UInt8>, file: String) throws(JSONFileError) -> ChannelsFile {
        let document: JSONNode
        let schema: JSONNode
        do {
            document = try JSONParser.parse(text)
            schema = try JSONParser.parse(schemaText)
        } catch {
            throw JSONFileError(
                file: file, issues: [JSONIssue(position: error.position, field: "", message: error.message)])
        }
        var issues = JSONSchema(schema).validate(document)
        issues += crossCheck(document)
        StationFace.check(document, path: file, &issues)
        guard issues.isEmpty else {
            issues.sort {
                ($0.position?.line ?? 0, $0.position?.column ?? 0) < ($1.position?.line ?? 0, $1.position?.column ?? 0)
            }
            throw JSONFileError(file: file, issues: issues)
        }
        return ChannelsFile(validated: document, path: file)
    }

    // MARK: Rules beyond the schema

    private static func crossCheck(_ document: JSONNode) -> [JSONIssue] {
        var issues: [JSONIssue] = []
        let presetNames = document["presets"]?.members?.map(\.name) ?? []
        checkPresets(of: document, "ladder", presetNames, &issues)
        checkLadderEncoder(of: document, &issues)
        checkEncryption(of: document, &issues)
        IdentityProvider.check(document, &issues)
        var firstUses: [String: TextPosition] = [:]
        // Made once: it reads all channels.
        let audiences = AudienceRules(document)
        for (index, channel) in (document["channels"]?.elements ?? []).enumerated() {
            let field = "channels[\(index)]"
            checkPresets(of: channel, "presets", under: "\(field).", presetNames, &issues)
            checkPresets(of: channel, "ladder", under: "\(field).", presetNames, &issues)
            checkScoreboard(of: channel, field, presetNames, &issues)
            checkDefaultPreset(of: channel, field, &issues)
            checkDurations(of: channel, field, &issues)
            checkPublishers(of: channel, field, &issues)
            checkArchive(of: channel, field, &issues)
            checkAudience(of: channel, field, audiences, &issues)
            checkCover(of: channel, field, &issues)
            checkRelays(of: channel, field, &issues)
            guard let name = channel["name"], let text = name.string else { continue }
            if let first = firstUses[text] {
                issues.append(
                    at: name, "\(field).name", "\(name.summary) is taken by the channel on line \(first.line)")
            } else {
                firstUses[text] = name.position
            }
        }
        return issues
    }

    private static func checkPresets(
        of node: JSONNode, _ list: String, under field: String = "", _ presetNames: [String],
        _ issues: inout [JSONIssue]
    ) {
        let presets = node[list]?.elements ?? []
        for (index, preset) in presets.enumerated() {
            guard let name = preset.string, !presetNames.contains(name) else { continue }
            issues.append(at: preset, "\(field)\(list)[\(index)]", unknown(preset, presetNames))
        }
    }

    private static func checkScoreboard(
        of channel: JSONNode, _ field: String, _ presetNames: [String], _ issues: inout [JSONIssue]
    ) {
        guard let preset = channel["scoreboardRendition"] else {
            for setting in ["scoreboardLanguage", "restreamScoreboard"] {
                guard let node = channel[setting] else { continue }
                issues.append(at: node, "\(field).\(setting)", "has no effect without \"scoreboardRendition\"")
            }
            return
        }
        guard let name = preset.string, !presetNames.contains(name) else { return }
        issues.append(at: preset, "\(field).scoreboardRendition", unknown(preset, presetNames))
    }

    private static func unknown(_ preset: JSONNode, _ presetNames: [String]) -> String {
        let allowed = presetNames.joined(separator: ", ")
        return "there is no preset \(preset.summary); \"presets\" above defines \(allowed.isEmpty ? "none" : allowed)"
    }

    private static func checkLadderEncoder(of document: JSONNode, _ issues: inout [JSONIssue]) {
        guard let encoder = document["ladderEncoder"], let name = encoder.string else { return }
        do throws(LibAVError) { _ = try LadderEncoder(named: name) } catch {
            issues.append(at: encoder, "ladderEncoder", error.reason)
        }
    }

    private static func checkEncryption(of document: JSONNode, _ issues: inout [JSONIssue]) {
        guard document["encrypt"] != nil, let encryption = document["encryption"] else { return }
        issues.append(at: encryption, "encryption", "cannot be given beside \"encrypt\"; leave \"encrypt\" out")
    }

    private static func checkDefaultPreset(
        of channel: JSONNode, _ field: String, _ issues: inout [JSONIssue]
    ) {
        let allowed = (channel["presets"]?.elements ?? []).compactMap(\.string)
        guard let defaultPreset = channel["defaultPreset"], let name = defaultPreset.string, !allowed.contains(name)
        else { return }
        issues.append(
            at: defaultPreset, "\(field).defaultPreset",
            "\(defaultPreset.summary) is not a preset of this channel; must be one of: \(allowed.joined(separator: ", "))"
        )
    }

    private static func checkPublishers(of channel: JSONNode, _ field: String, _ issues: inout [JSONIssue]) {
        var firstUses: [String: TextPosition] = [:]
        for (index, publisher) in (channel["publishers"]?.elements ?? []).enumerated() {
            let field = "\(field).publishers[\(index)]"
            let digestCount = ["md5", "sha256"].count { publisher[$0] != nil }
            let isPlain = publisher["password"] != nil
            if publisher.members != nil, isPlain ? digestCount != 0 : digestCount != 2 {
                issues.append(at: publisher, field, "must have either \"password\", or \"md5\" and \"sha256\"")
            }
            guard let user = publisher["user"], let name = user.string else { continue }
            if let first = firstUses[name] {
                issues.append(at: user, "\(field).user", "\(user.summary) is already on line \(first.line)")
            } else {
                firstUses[name] = user.position
            }
        }
    }

    private static func checkAudience(
        of channel: JSONNode, _ field: String, _ audiences: AudienceRules, _ issues: inout [JSONIssue]
    ) {
        guard let record = channel["record"], record.string == "always", let name = channel["name"]?.string,
            audiences.recordingsReachMore(thanChannel: name)
        else { return }
        issues.append(
            at: record, "\(field).record",
            "recordings would be visible to more people than the channel; also set \"vod\" in \"viewing\"")
    }

    private static func checkCover(of channel: JSONNode, _ field: String, _ issues: inout [JSONIssue]) {
        guard let node = channel["cover"], let text = node.string, case .address(let address) = ChannelCover(text),
            !ChannelCover.isAddress(address)
        else { return }
        issues.append(
            at: node, "\(field).cover",
            "\(node.summary) must be an address that begins with https:// and a host name, or a path below the media folder"
        )
    }

    private static func checkRelays(of channel: JSONNode, _ field: String, _ issues: inout [JSONIssue]) {
        if let node = channel["source"], let text = node.string, RelayAddress(text) == nil {
            issues.append(
                at: node, "\(field).source",
                "must be an address such as rtsp://host/path, with a port for srt, udp and rtp")
        }
        for (index, node) in (channel["restreams"]?.elements ?? []).enumerated() {
            guard let text = node.string, RelayAddress(text)?.scheme.isDestination != true else { continue }
            issues.append(
                at: node, "\(field).restreams[\(index)]",
                "must be an address of rtmp, rtmps, srt, rtsp or rtsps, with a port for srt")
        }
        if channel["source"] == nil, let node = channel["onDemand"] {
            issues.append(at: node, "\(field).onDemand", "has no effect without \"source\"")
        }
    }

    private static func checkDurations(of channel: JSONNode, _ field: String, _ issues: inout [JSONIssue]) {
        let packaging = LivePackagingConfiguration(channel)
        if packaging.partDuration > packaging.segmentDuration,
            let node = channel["partDuration"] ?? channel["segmentDuration"]
        {
            issues.append(
                at: node, "\(field).partDuration",
                "a part (\(packaging.partDuration) s) must not be longer than a segment (\(packaging.segmentDuration) s)"
            )
        }
        if TargetDurationPolicy(channel) == .configured,
            packaging.segmentDuration > Double(packaging.targetDuration),
            let node = channel["segmentDuration"] ?? channel["targetDuration"]
        {
            issues.append(
                at: node, "\(field).segmentDuration",
                "a segment (\(packaging.segmentDuration) s) must not be longer than targetDuration (\(packaging.targetDuration) s)"
            )
        }
    }
}

extension ChannelsFile {
    /// - Parameters:
    ///   - document: a document that has passed all checks.
    ///   - path: the path of the file.
    fileprivate init(validated document: JSONNode, path: String) {
        face = StationFace(document, path: path)
        accounts = AccountsSettings(document["accounts"])
        accounts.issuer = face.name
        for section in Section.allCases { sections[section] = document[section.rawValue] }
        providers = IdentityProvider.all(in: document)
        audiences = AudienceRules(document)
        titleEncryption =
            document["encrypt"]?.boolean == true
            ? .aes128 : document["encryption"]?.string.flatMap { EncryptionMethod(rawValue: $0) }
        presets = (document["presets"]?.members ?? []).map { QualityPreset(name: $0.name, $0.value) }
        let presetsByName = Dictionary(presets.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        ladder = (document["ladder"]?.elements ?? []).compactMap(\.string).compactMap { presetsByName[$0] }
        ladderEncoder = document["ladderEncoder"]?.string ?? LadderPolicy.defaultEncoder
        let ladderEncoder = ladderEncoder
        channels = (document["channels"]?.elements ?? []).map { channel in
            let name = channel["name"]?.string ?? ""
            var configuration = ChannelConfiguration(
                name: name, title: channel["title"]?.string ?? name,
                defaultPreset: channel["defaultPreset"]?.string ?? "",
                presets: (channel["presets"]?.elements ?? []).compactMap(\.string).compactMap { presetsByName[$0] },
                packaging: LivePackagingConfiguration(channel), targetDuration: TargetDurationPolicy(channel),
                publishing: PublishingPolicy(channel), onLoss: LossPolicy(channel), archive: ArchivePolicy(channel),
                summary: channel["description"]?.string, cover: channel["cover"]?.string.map { ChannelCover($0) },
                website: channel["website"]?.string)
            configuration.srt = SRTPolicy(channel["srt"])
            configuration.relays = RelayPolicy(channel)
            configuration.captureDelay = .seconds(channel["captureDelay"]?.number ?? 0)
            configuration.keepsOpus = channel["keepOpus"]?.boolean ?? false
            configuration.ladder = (channel["ladder"]?.elements ?? []).compactMap(\.string)
                .compactMap { presetsByName[$0] }.sorted { $0.videoBitRate > $1.videoBitRate }
            configuration.ladderEncoder = ladderEncoder
            configuration.scoreboardPreset = channel["scoreboardRendition"]?.string.flatMap { presetsByName[$0] }
            configuration.scoreboardLanguage = channel["scoreboardLanguage"]?.string ?? "en"
            configuration.isLadderOnDemand = channel["ladderOnDemand"]?.boolean ?? false
            (configuration.artist, configuration.album) = (channel["artist"]?.string, channel["album"]?.string)
            return configuration
        }
    }
}

extension QualityPreset {
    fileprivate init(name: String, _ node: JSONNode) {
        self.init(
            name: name, width: node["width"]?.integer ?? 0, height: node["height"]?.integer ?? 0,
            frameRate: node["frameRate"]?.number ?? 0, videoBitRate: node["videoBitrate"]?.integer ?? 0,
            audioBitRate: node["audioBitrate"]?.integer ?? 0)
    }
}

extension LivePackagingConfiguration {
    /// Reads the durations of a channel; missing fields keep their defaults.
    fileprivate init(_ channel: JSONNode) {
        self.init()
        if let seconds = channel["partDuration"]?.number { partDuration = seconds }
        if let seconds = channel["segmentDuration"]?.number { segmentDuration = seconds }
        if let seconds = channel["targetDuration"]?.integer { targetDuration = seconds }
    }
}

extension RelayPolicy {
    /// Reads the relays of a channel.
    fileprivate init(_ channel: JSONNode) {
        self.init()
        source = channel["source"]?.string
        isOnDemand = channel["onDemand"]?.boolean ?? false
        usesUDP = channel["sourceTransport"]?.string == "udp"
        credentialsFile = channel["sourceCredentials"]?.string
        restreamsScoreboard = channel["restreamScoreboard"]?.boolean ?? false
        restreams = (channel["restreams"]?.elements ?? []).compactMap(\.string)
    }
}

extension SRTPolicy {
    /// Reads the rules of a channel; missing fields keep their defaults.
    fileprivate init(_ node: JSONNode?) {
        self.init()
        if let milliseconds = node?["latencyMs"]?.integer { latency = milliseconds }
        passphrase = node?["passphrase"]?.string
    }
}

extension TargetDurationPolicy {
    /// Reads the policy of a channel: a number of seconds is fixed; `auto`, the default, is not.
    fileprivate init(_ channel: JSONNode) {
        self = channel["targetDuration"]?.integer == nil ? .automatic : .configured
    }
}

extension LossPolicy {
    /// Reads the policy of a channel; missing fields keep their defaults.
    fileprivate init(_ channel: JSONNode) {
        self.init()
        if let name = channel["onLoss"]?.string, let action = Action(rawValue: name) { self.action = action }
        if let seconds = channel["lossTimeout"]?.integer { timeoutSeconds = seconds }
        slateFile = channel["slate"]?.string
    }
}

extension PublishingPolicy {
    /// Reads the policy of a channel; missing fields keep their defaults.
    fileprivate init(_ channel: JSONNode) {
        self.init()
        if let publishers = channel["publishers"]?.elements {
            access = .credentials(publishers.map(PublisherCredential.init))
        } else {
            switch channel["publish"]?.string {
            case "anyone": access = .anyone
            case "accounts": access = .accounts
            default: break
            }
        }
        let policy = channel["secondPublisher"]?.string.flatMap(SecondPublisher.init(rawValue:))
        if let policy { secondPublisher = policy }
        if let enforces = channel["enforcePreset"]?.boolean { enforcesPreset = enforces }
    }
}

extension PublisherCredential {
    /// Reads a publisher. A plain password is hashed here and not kept.
    fileprivate init(_ node: JSONNode) {
        let username = node["user"]?.string ?? ""
        if let password = node["password"]?.string {
            self.init(username: username, password: password)
        } else {
            self.init(
                username: username, md5: node["md5"]?.string?.lowercased() ?? "",
                sha256: node["sha256"]?.string?.lowercased() ?? "")
        }
    }
}
