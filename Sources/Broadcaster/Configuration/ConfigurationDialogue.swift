import Foundation
package import MediaCore

/// Asks for the missing settings of a profile, shows what the server offers, and tries to publish.
package struct ConfigurationDialogue {
    /// The settings that flags give; they are not asked for.
    package var given: [String: String]
    /// Asks the user; `nil` if nobody can be asked.
    package var prompt: (any Prompting)?

    /// Creates a dialogue; the parameters are the properties of the same names.
    package init(given: [String: String], prompt: (any Prompting)?) {
        self.given = given
        self.prompt = prompt
    }

    /// The largest number of answers to one question: a sixth attempt helps no user, and a script must end.
    static let maximumAnswerCount = 5

    /// Runs the dialogue. After a wrong answer it says what is wrong and asks again.
    ///
    /// - Parameter profile: The known settings.
    /// - Returns: The profile to save.
    /// - Throws: ``BroadcastError`` if something is missing or wrong and nobody can be asked, or was asked too often.
    package func run(_ profile: BroadcastProfile) async throws(BroadcastError) -> BroadcastProfile {
        var profile = try profile.overridden(by: given)
        // A server other than Antena has no API to ask.
        let isElsewhere = profile.hasWholeAddress
        var (channels, presets) = ([GatewayAPI.Channel](), QualityPreset.shipped)
        if !isElsewhere || profile.server != nil { (channels, presets) = try await chooseServer(&profile) }
        if !isElsewhere {
            prompt?.say(Self.table(channels))
            try await settle("channel", "Channel", usual: channels.first { $0.isFree }?.name, &profile) {
                profile throws(BroadcastError) in try check(profile.channel, in: channels)
            }
        }
        let channel = channels.first { $0.name == profile.channel }
        let allowed = presets.filter { channel?.presets?.contains($0.name) ?? true }
        prompt?.say(Self.table(allowed))
        try await settle("preset", "Quality", usual: channel?.preset ?? allowed.first?.name, &profile) {
            profile throws(BroadcastError) in
            guard let preset = profile.preset, allowed.contains(where: { $0.name == preset }) else {
                throw Self.unknownPreset(profile.preset ?? "", allowed: allowed, channel: profile.channel)
            }
        }
        try await tryPush(&profile)
        return profile
    }

    /// Asks for the server until one answers; the server also says where its RTSP port is.
    private func chooseServer(
        _ profile: inout BroadcastProfile
    ) async throws(BroadcastError) -> ([GatewayAPI.Channel], [QualityPreset]) {
        let before = profile.server
        let answer = try await settle(
            "server", "Server (its web address)", usual: "http://127.0.0.1:8080", &profile
        ) { profile throws(BroadcastError) in
            let api = try GatewayAPI(address: profile.server ?? "")
            return (channels: try await api.channels(), presets: try await api.presets())
        }
        // The RTSP address of another server says nothing about this one.
        if given["rtsp"] == nil, !profile.hasWholeAddress, profile.server != before { profile.rtsp = nil }
        await profile.learnRTSPAddress()
        return answer
    }

    /// The error for an unknown preset, with the allowed ones.
    static func unknownPreset(
        _ name: String, allowed: [QualityPreset], channel: String?
    ) -> BroadcastError {
        let names = allowed.map(\.name).joined(separator: ", ")
        return BroadcastError(
            .refused,
            channel.map { "\($0) does not allow the preset \"\(name)\"; it allows \(names)" }
                ?? "there is no preset \"\(name)\"; choose one of \(names)")
    }

    /// Asks for a setting until it is valid.
    ///
    /// - Parameter check: Throws what is wrong with the profile; the message is shown to the user, who is asked again.
    private func settle<Value>(
        _ key: String, _ question: String, usual: String?, isSecret: Bool = false, _ profile: inout BroadcastProfile,
        check: (BroadcastProfile) async throws(BroadcastError) -> Value
    ) async throws(BroadcastError) -> Value {
        var count = 0
        while true {
            count += 1
            let answer = try answer(key, question, usual: usual, isSecret: isSecret, profile)
            do throws(BroadcastError) {
                var changed = profile
                if let answer { try changed.set(key, to: answer) }
                let value = try await check(changed)
                profile = changed
                return value
            } catch {
                guard let prompt, answer != nil, count < Self.maximumAnswerCount else { throw error }
                prompt.say(error.reason)
            }
        }
    }

    /// Asks for a setting once.
    ///
    /// - Returns: `nil` if the setting is given, or is known and nobody can be asked.
    private func answer(
        _ key: String, _ question: String, usual: String?, isSecret: Bool, _ profile: BroadcastProfile
    ) throws(BroadcastError) -> String? {
        guard given[key] == nil else { return nil }
        guard let prompt else {
            guard profile[key: key] == nil else { return nil }
            throw BroadcastError(.usage, "--\(key) is missing, and there is no terminal to ask for it")
        }
        let suggestion = isSecret ? nil : profile[key: key] ?? usual
        guard let answer = prompt.ask(question, suggestion: suggestion, isSecret: isSecret) else {
            throw BroadcastError(.usage, "no valid answer was given")
        }
        return answer
    }

    private func check(_ name: String?, in channels: [GatewayAPI.Channel]) throws(BroadcastError) {
        guard !channels.isEmpty, !channels.contains(where: { $0.name == name }) else { return }
        throw GatewayAPI.unknownChannel(name ?? "", among: channels)
    }

    /// Tries to publish. Asks for credentials if the server requires them, and for its RTSP address if that is not the
    /// expected one.
    private func tryPush(_ profile: inout BroadcastProfile) async throws(BroadcastError) {
        var count = 0
        while true {
            count += 1
            do throws(BroadcastError) {
                return try await PushProbe.run(try profile.target(presetName: profile.preset))
            } catch {
                let mayAskAgain = count < Self.maximumAnswerCount
                switch error.code {
                // Another client publishes at the moment; the other settings are valid.
                case .channelBusy:
                    prompt?.say("Note: \(error.reason)")
                    return
                case .credentials where mayAskAgain && prompt != nil && given["user"] == nil:
                    prompt?.say(error.reason)
                    try await settle("user", "User", usual: nil, &profile) { _ in }
                    try await settle("password", "Password", usual: nil, isSecret: true, &profile) { _ in }
                case .unreachable, .notRTSP:
                    let explained = await error.explained(by: profile)
                    guard mayAskAgain, prompt != nil, given["rtsp"] == nil, !profile.hasWholeAddress else {
                        throw explained
                    }
                    prompt?.say(explained.reason)
                    let expected = try? profile.target(presetName: nil)
                    try await settle(
                        "rtsp", "RTSP address", usual: expected.map { "rtsp://\($0.endpoint)" }, &profile
                    ) { _ in }
                default: throw error
                }
            }
        }
    }

    // MARK: Tables

    /// A table of channels with their states.
    package static func table(_ channels: [GatewayAPI.Channel]) -> String {
        let rows = channels.map { channel in
            let state =
                channel.isFree ? "free" : "in use" + (channel.publisher?.since.map { " since \(time($0))" } ?? "")
            return [channel.name, channel.title, state]
        }
        return aligned(rows)
    }

    /// A table of presets.
    package static func table(_ presets: [QualityPreset]) -> String {
        aligned(
            presets.map { preset in
                [
                    preset.name, "\(preset.width)x\(preset.height)", "\(Int(preset.frameRate.rounded())) fps",
                    "\(preset.videoBitRate / 1_000) + \(preset.audioBitRate / 1_000) kbit/s",
                ]
            })
    }

    /// Formats a time in this machine's zone, with the date if it is not today.
    static func time(_ date: Date) -> String {
        let isToday = Calendar.current.isDateInToday(date)
        return date.formatted(date: isToday ? .omitted : .abbreviated, time: .shortened)
    }

    private static func aligned(_ rows: [[String]]) -> String {
        let columnCount = rows.map(\.count).max() ?? 0
        let widths = (0..<columnCount).map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            "  "
                + zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
                .joined(separator: "  ")
        }.joined(separator: "\n")
    }
}
