import Foundation

/// Runs one target under libFuzzer: `antena-fuzz TARGET [libFuzzer's options] CORPUS`.
@main
enum AntenaFuzz {
    nonisolated(unsafe) private static var target = FuzzTarget.all[0]

    static func main() {
        var arguments = CommandLine.arguments
        guard arguments.count > 1, arguments[1] != "--list" else {
            for target in FuzzTarget.all { print(target.name) }
            return
        }
        if arguments[1] == "--write-seeds", arguments.count == 4 {
            return writeSeeds(of: find(arguments[2]), to: arguments[3])
        }
        target = find(arguments.remove(at: 1))
        var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        var count = CInt(arguments.count)
        pointers.withUnsafeMutableBufferPointer { buffer in
            var base = buffer.baseAddress
            exit(
                runDriver(&count, &base) { bytes, count in
                    AntenaFuzz.target.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
                    return 0
                })
        }
    }

    private static func find(_ name: String) -> FuzzTarget {
        guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
            FileHandle.standardError.write(Data("no target \(name); --list shows those there are\n".utf8))
            exit(2)
        }
        return target
    }

    private static func writeSeeds(of target: FuzzTarget, to folder: String) {
        for (number, seed) in target.seeds.enumerated() {
            _ = FileManager.default.createFile(atPath: "\(folder)/seed-\(number)", contents: Data(seed))
        }
    }
}

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ argumentCount: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt
