import Foundation
import MediaWorkerTestSupport
import TestSupport

@testable import VODLibrary

/// Good files, and broken ones made from them; always the same ones.
///
/// Each kind of damage is done to each format. A file costs a quarter of a second, because workers convert what is left
/// of it. ANTENA_CORPUS_SEED searches further.
enum BrokenCorpus {
    struct Sample: Sendable {
        var name: String
        var data: Data
        /// How often each kind of damage is done to it.
        var rounds: Int
    }

    struct BrokenFile: Sendable {
        var name: String
        var data: Data
    }

    private static let h264 = "-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 25 -threads 1 -s 160x90"

    /// Name, ffmpeg's arguments, and how often each kind of damage is done.
    private static let recipes: [(name: String, arguments: String, rounds: Int)] = [
        ("film.mp4", "\(h264) -bf 2 -c:a aac -movflags +faststart", 5),
        ("late.mp4", "\(h264) -c:a aac", 1),
        ("pieces.mp4", "\(h264) -c:a aac -movflags +frag_keyframe+empty_moov", 3),
        ("film.mov", "\(h264) -c:a alac", 1),
        ("film.mkv", "\(h264) -c:a libopus", 2),
        ("film.webm", "-s 96x54 -c:v libvpx -deadline realtime -cpu-used 8 -c:a libvorbis", 1),
        ("film.ts", "\(h264) -c:a aac -f mpegts", 2),
        ("film.avi", "-s 96x54 -c:v mpeg4 -c:a libmp3lame", 1),
        ("film.flv", "\(h264) -c:a aac", 1),
        ("film.mpg", "-s 96x64 -c:v mpeg2video -c:a mp2", 1),
        ("song.mp3", "-vn -c:a libmp3lame", 1), ("song.m4a", "-vn -c:a aac", 1),
        ("song.flac", "-vn -c:a flac", 1), ("song.ogg", "-vn -c:a libvorbis", 1),
        ("song.wav", "-vn -c:a pcm_s16le", 1),
    ]

    static func samples() throws -> [Sample] {
        let fixtures = try WorkerFixtures()
        return try recipes.map { recipe in
            let path = try fixtures.makeMedia(recipe.name, seconds: 1, recipe.arguments)
            return Sample(name: recipe.name, data: try Data(contentsOf: URL(filePath: path)), rounds: recipe.rounds)
        }
    }

    /// ANTENA_CORPUS_SEED makes another corpus, three times as large, for a search beyond what every run shows.
    static let searchSeed = ProcessInfo.processInfo.environment["ANTENA_CORPUS_SEED"].flatMap { UInt64($0) }

    static func broken(_ samples: [Sample]) -> [BrokenFile] {
        var generator = SeededGenerator(seed: searchSeed ?? 5)
        let factor = searchSeed == nil ? 1 : 3
        return samples.flatMap { sample in
            (0..<(sample.rounds * factor * Damage.allCases.count)).map { number in
                let damage = Damage.allCases[number % Damage.allCases.count]
                let ending = sample.name.split(separator: ".").last.map(String.init) ?? ""
                let stem = sample.name.split(separator: ".").first.map(String.init) ?? ""
                let name: String
                if damage == .misnamed {
                    name = "\(stem)-\(ending)-\(number).\(otherEnding(than: ending, &generator))"
                } else {
                    name = "\(stem)-\(ending)-\(number)-\(damage.rawValue).\(ending)"
                }
                return BrokenFile(name: name, data: damage.applied(to: sample.data, &generator))
            }
        }
    }

    private static func otherEnding(than ending: String, _ generator: inout SeededGenerator) -> String {
        let isAudio = ["mp3", "m4a", "flac", "ogg", "wav"].contains(ending)
        let endings =
            isAudio ? ["mp3", "m4a", "flac", "ogg", "wav"] : ["mp4", "mov", "mkv", "webm", "ts", "avi", "flv"]
        return endings.filter { $0 != ending }.randomElement(using: &generator) ?? "mp4"
    }

    /// A kind of damage to a file.
    enum Damage: String, CaseIterable {
        case cut
        case bits
        case headBits
        case box
        case length
        case zeros
        case inserted
        case removed
        case repeated
        case misnamed

        func applied(to good: Data, _ generator: inout SeededGenerator) -> Data {
            var data = good
            func place(_ limit: Int) -> Int { Int.random(in: 0..<max(1, limit), using: &generator) }
            switch self {
            case .cut: return data.prefix(place(data.count))
            case .bits: flip(8 + place(64), in: &data, below: data.count, &generator)
            // Where the lengths and tables are, in most formats.
            case .headBits: flip(1 + place(8), in: &data, below: min(data.count, 1_500), &generator)
            case .box: resizeBox(in: &data, &generator)
            case .length:
                // Whatever is there is a large number now, a negative one, or nothing.
                let start = place(min(data.count, 3_000) - 8)
                let value = [0, 1, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 0x0100_0000].randomElement(using: &generator)
                for (offset, shift) in [24, 16, 8, 0].enumerated() {
                    data[start + offset] = UInt8(truncatingIfNeeded: (value ?? 0) >> shift)
                }
            case .zeros:
                let start = place(data.count)
                data.resetBytes(in: start..<min(data.count, start + 1 + place(2_000)))
            case .inserted:
                let noise = Data((0..<(1 + place(300))).map { _ in UInt8.random(in: 0...255, using: &generator) })
                data.insert(contentsOf: noise, at: place(data.count))
            case .removed:
                let start = place(data.count)
                data.removeSubrange(start..<min(data.count, start + 1 + place(300)))
            case .repeated:
                let start = place(data.count)
                data.insert(contentsOf: data[start..<min(data.count, start + 1 + place(3_000))], at: place(data.count))
            case .misnamed: break
            }
            return Data(data)
        }

        private func flip(_ count: Int, in data: inout Data, below limit: Int, _ generator: inout SeededGenerator) {
            for _ in 0..<count {
                data[Int.random(in: 0..<limit, using: &generator)] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            }
        }

        private static let boxes = [
            "moov", "trak", "mdia", "stbl", "stsz", "stco", "stsc", "stts", "ctts", "stss", "stsd", "avc1", "avcC",
            "mp4a", "esds", "elst", "mdat", "moof", "traf", "trun", "tfhd", "tfdt", "mvex", "trex", "ftyp", "udta",
        ]

        /// Of a file without boxes, some 32 bits.
        private func resizeBox(in data: inout Data, _ generator: inout SeededGenerator) {
            let present = Self.boxes.compactMap { data.range(of: Data($0.utf8))?.lowerBound }.filter { $0 >= 4 }
            let start = (present.randomElement(using: &generator) ?? min(data.count - 4, 40)) - 4
            let old = data[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            let sizes: [UInt32] = [0, 1, 7, 8, 9, old &+ 1, old &- 1, old / 2, old &* 2, 0x7FFF_FFFF, .max]
            let size = sizes.randomElement(using: &generator) ?? 0
            for (offset, shift) in [24, 16, 8, 0].enumerated() {
                data[start + offset] = UInt8(truncatingIfNeeded: size >> UInt32(shift))
            }
        }
    }
}
