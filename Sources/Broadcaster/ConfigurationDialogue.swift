import Foundation

/// Asks for what a profile needs, shows what the server has, and tries it.
package struct ConfigurationDialogue {
    /// Told by flags; what is told is not asked for.
    package var given: [String: String]
    /// `nil` where nobody can be asked.
    package var prompt: (any Prompting)?

    package init(given: [String: String], prompt: (any Prompting)?) {
        self.given = given
        self.prompt = prompt
    }

    /// - Parameter profile: what is known already.
    /// - Returns: what to save.
    /// - Throws: where something is missing and nobody can be asked, and where the server does not take it.
    package func run(_ profile: BroadcastProfile) async throws(BroadcastError) -> BroadcastProfile {
        var profile = try profile.overridden(by: given)
        // Another server than Antena has no API to ask.
        let isElsewhere = profile.hasWholeAddress
        if !isElsewhere {
            try askUnlessGiven("server", "Server (its web address)", usual: "http://127.0.0.1:8080", &profile)
        }
        var channels: [GatewayAPI.Channel] = []
        var presets = GatewayAPI.Preset.usual
        if let server = profile.server {
            let api = try GatewayAPI(address: server)
            channels = try await api.channels()
            presets = try await api.presets()
            prompt?.say(Self.table(channels))
        }
        if !isElsewhere {
            try askUnlessGiven("channel", "Channel", usual: channels.first { $0.isFree }?.name, &profile)
            try check(profile.channel, in: channels)
        }
        let channel = channels.first { $0.name == profile.channel }
        let allowed = presets.filter { channel?.presets?.contains($0.name) ?? true }
        prompt?.say(Self.table(allowed))
        try askUnlessGiven("preset", "Quality", usual: channel?.preset ?? allowed.first?.name, &profile)
        guard let preset = profile.preset, allowed.contains(where: { $0.name == preset }) else {
            throw Self.unknownPreset(profile.preset ?? "", allowed: allowed, channel: profile.channel)
        }
        try await tryPush(&profile)
        return profile
    }

    /// What a person may choose.
    static func unknownPreset(
        _ name: String, allowed: [GatewayAPI.Preset], channel: String?
    ) -> BroadcastError {
        let names = allowed.map(\.name).joined(separator: ", ")
        return BroadcastError(
            .refused,
            channel.map { "\($0) does not allow the preset \"\(name)\"; it allows \(names)" }
                ?? "there is no preset \"\(name)\"; there are \(names)")
    }

    private func askUnlessGiven(
        _ key: String, _ question: String, usual: String?, isSecret: Bool = false, _ profile: inout BroadcastProfile
    ) throws(BroadcastError) {
        guard given[key] == nil else { return }
        guard let prompt else {
            guard profile[key: key] == nil else { return }
            throw BroadcastError(.usage, "--\(key) is missing, and there is no terminal to ask at")
        }
        let suggestion = isSecret ? nil : profile[key: key] ?? usual
        guard let answer = prompt.ask(question, suggestion: suggestion, isSecret: isSecret) else {
            throw BroadcastError(.usage, "the questions were not answered")
        }
        try profile.set(key, to: answer)
    }

    private func check(_ name: String?, in channels: [GatewayAPI.Channel]) throws(BroadcastError) {
        guard !channels.isEmpty, !channels.contains(where: { $0.name == name }) else { return }
        throw BroadcastError(
            .unknownChannel,
            "the server has no channel \"\(name ?? "")\"; it has \(channels.map(\.name).joined(separator: ", "))")
    }

    /// Asks for credentials where the server wants some.
    private func tryPush(_ profile: inout BroadcastProfile) async throws(BroadcastError) {
        do {
            try await PushProbe.run(try profile.target(presetName: profile.preset))
        } catch {
            switch error.code {
            // Somebody pushes at the moment; the rest holds.
            case .channelBusy: prompt?.say("Note: \(error.reason)")
            case .credentials where prompt != nil && given["user"] == nil:
                prompt?.say(error.reason)
                try askUnlessGiven("user", "User", usual: nil, &profile)
                try askUnlessGiven("password", "Password", usual: nil, isSecret: true, &profile)
                try await PushProbe.run(try profile.target(presetName: profile.preset))
            default: throw error
            }
        }
    }

    // MARK: Tables

    package static func table(_ channels: [GatewayAPI.Channel]) -> String {
        let rows = channels.map { channel in
            let state =
                channel.isFree ? "free" : "in use" + (channel.publisher?.since.map { " since \(time($0))" } ?? "")
            return [channel.name, channel.title, state]
        }
        return aligned(rows)
    }

    package static func table(_ presets: [GatewayAPI.Preset]) -> String {
        aligned(
            presets.map { preset in
                [
                    preset.name, "\(preset.width)x\(preset.height)", "\(Int(preset.frameRate.rounded())) fps",
                    "\(preset.videoBitrate / 1_000) + \(preset.audioBitrate / 1_000) kbit/s",
                ]
            })
    }

    /// Of the day, in this machine's zone; with the day where it was another one.
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
