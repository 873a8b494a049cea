/// The columns of tracks that came with covers beside files and covers of operators.
enum CoverColumns {
    static let file = "coverFile"
    static let names = ["uploadedCover", file, "coverOfFile"]
}
