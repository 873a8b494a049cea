import Codecs
import HLSPlaylist
import MediaCore

/// A title's audio renditions as groups of EXT-X-MEDIA (bis §4.4.6.1.1).
///
/// There is a group for each codec, and a variant for each group, so that a player that lacks AC-3 still finds a variant
/// whose CODECS it knows. The groups have the same members, one for each language and for each further track in it: what
/// a codec does not have is taken from another.
struct AudioGroups {
    struct Group {
        var id: String
        /// In the order of the members' names.
        var renditions: [PackagedRendition]

        var codecs: [String] { renditions.map(\.configuration.rfc6381).uniqued }
    }

    /// What EXT-X-MEDIA says of a member, in whichever group.
    private struct Member: Hashable {
        var language: String
        /// Among the tracks of the same codec and language: commentaries, for instance.
        var ordinal: Int
    }

    private(set) var groups: [Group] = []
    private let names: [String]
    private let defaultPosition: Int

    init(_ audio: [PackagedRendition]) {
        let codecs = audio.map(\.configuration.name).uniqued
        var tracks: [String: [Member: PackagedRendition]] = [:]
        var members: [Member] = []
        var memberOfTrack: [String: Member] = [:]
        for rendition in audio {
            let codec = rendition.configuration.name
            let language = rendition.language?.text ?? "und"
            let known = tracks[codec, default: [:]].keys.filter { $0.language == language }
            let member = Member(language: language, ordinal: known.count)
            tracks[codec, default: [:]][member] = rendition
            memberOfTrack[rendition.name] = member
            if !members.contains(member) { members.append(member) }
        }
        for codec in codecs {
            let renditions = members.compactMap { member in
                tracks[codec]?[member] ?? codecs.lazy.compactMap { tracks[$0]?[member] }.first
            }
            guard !groups.contains(where: { $0.renditions.map(\.name) == renditions.map(\.name) }) else { continue }
            groups.append(Group(id: Self.groupID(codec), renditions: renditions))
        }
        if groups.count == 1 { groups[0].id = PackagedTitle.audioGroupID }
        names = members.map { member in
            let rendition = audio.first { ($0.language?.text ?? "und") == member.language }
            let name = rendition?.language?.name ?? "Audio"
            return member.ordinal > 0 ? "\(name) \(member.ordinal + 1)" : name
        }
        let preferred = audio.first(where: \.isEnabled) ?? audio.first
        defaultPosition = preferred.flatMap { memberOfTrack[$0.name] }.flatMap { members.firstIndex(of: $0) } ?? 0
    }

    private static func groupID(_ codec: String) -> String {
        "\(PackagedTitle.audioGroupID)-\(codec.lowercased().filter { $0.isLetter || $0.isNumber })"
    }

    /// EXT-X-MEDIA for all members of all groups.
    var media: [Rendition] {
        groups.flatMap { group in
            group.renditions.enumerated().map { position, rendition in
                Rendition(
                    type: .audio, groupID: group.id, name: names[position],
                    language: rendition.language?.text ?? "und", isDefault: position == defaultPosition,
                    isAutoselect: true, channels: rendition.configuration.audioChannelCount,
                    uri: "\(rendition.name).m3u8")
            }
        }
    }

    /// What a player without a wish of its own hears.
    func defaultRendition(of group: Group) -> PackagedRendition { group.renditions[defaultPosition] }
}

extension Sequence where Element: Hashable {
    /// Each once, in the order of first appearance.
    var uniqued: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
