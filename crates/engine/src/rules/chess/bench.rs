//! The bench positions of chess. Each part of the search has work in some of them. A change of the list
//! changes the signature of every version.

/// Chess, from the opening to the last few moves.
#[rustfmt::skip]
pub const POSITIONS: &[&str] = &[
    // Openings.
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", // the start
    "r1bq1rk1/2p1bppp/p1np1n2/1p2p3/4P3/1BP2N1P/PP1P1PP1/RNBQR1K1 b - - 0 9", // Ruy Lopez, closed
    "r1bqk2r/1pp2ppp/p1np1n2/2b1p3/2B1P3/2PP1N2/PP3PPP/RNBQ1RK1 w kq - 0 7", // Italian, quiet
    "r2q1rk1/pp1bppbp/2np1np1/8/2BNP3/2N1BP2/PPPQ2PP/2KR3R b - - 6 10", // Sicilian, Dragon with opposite castling
    "rnb1kb1r/1p3ppp/p2ppn2/6B1/3NPP2/2N5/PqPQ2PP/R3KB1R w KQkq - 0 9", // Sicilian, poisoned pawn
    "rnbqk2r/pp2nppp/4p3/2ppP3/3P2Q1/P1P5/2P2PPP/R1B1KBNR b KQkq - 2 7", // French, Winawer
    "rn1qkbnr/pp3ppp/4p3/2ppPb2/3P4/4BN2/PPP1BPPP/RN1QK2R b KQkq - 1 6", // Caro-Kann, advance
    "rnbqkbnr/ppp2p1p/3p4/4N3/4PppP/8/PPPP2P1/RNBQKB1R w KQkq - 0 6", // King's Gambit, accepted
    "rnbq1rk1/p1p1bpp1/1p2pn1p/3p4/2PP3B/2N1PN2/PP3PPP/R2QKB1R w KQ - 0 8", // Queen's Gambit, declined
    "r1bqkb1r/3n1ppp/p3pn2/1pp1P3/3P4/2NB1N2/PP3PPP/R1BQK2R b KQkq - 0 10", // Slav, Meran
    "r1bq1rk1/pppnn1bp/3p2p1/3Ppp2/2P1P3/2N2P2/PP2B1PP/R1BQNRK1 w - - 0 11", // King's Indian, Mar del Plata
    "r1bq1rk1/pp3ppp/2n1pn2/2pp4/2PP4/P1PBPN2/5PPP/R1BQ1RK1 b - - 0 9", // Nimzo-Indian
    "rn1qkb1r/4pp1p/3p1np1/2pP4/4P3/2N5/PP3PPP/R1BQ1KNR w kq - 0 9", // Benko Gambit
    "r1bq1rk1/pp1pppbp/2n2np1/2p5/2PP4/2N2NP1/PP2PPBP/R1BQ1RK1 b - - 0 7", // English, symmetrical
    "r1bqk2r/pppp1Npp/2n5/4p3/2B1n3/8/PPPP1KPP/RNBQ3R w kq - 0 7", // Traxler: all is hanging
    // Middlegames.
    "3rkb1r/p2nqppp/5n2/1B2p1B1/4P3/1Q6/PPP2PPP/2KR3R w k - 3 13", // Morphy at the opera: what now?
    "rnb1k1nr/p2p1ppp/3B4/1p1N1N1P/4P1P1/3P1Q2/PqP5/R4Kb1 w kq - 0 19", // Anderssen and Kieseritzky: three pieces for a mate
    "r3r1k1/pp3pbp/1qp3p1/2B5/2BP2b1/Q1n2N2/P4PPP/3R1K1R b - - 3 17", // Byrne and Fischer: the queen may go
    "b2r3r/k4p1p/p2q1np1/NppP4/3p1Q2/P4PPB/1PP4P/1K1RR3 w - - 1 24", // Kasparov and Topalov: before the rook falls
    "2rr2k1/1b3ppp/pb2p3/1p2P3/1P2BPnq/P1N3P1/1B2Q2P/R4R1K b - - 0 22", // Rotlewi and Rubinstein: every piece looks at the king
    "r2q1rk1/pb1nbppp/1p2pn2/8/2BP4/P1N2N2/1P3PPP/R1BQR1K1 w - - 0 13", // isolated queen's pawn
    "2rr2k1/pb2qppp/1n3n2/2pp4/8/1PN1PB2/PB1Q1PPP/2RR2K1 w - - 2 18", // hanging pawns against a bishop pair
    "r1b2rk1/pp1nq1bp/3p2p1/2pPpp2/2P1P3/2N1BP2/PP1QB1PP/R4RK1 b - - 3 15", // a locked centre, attacks on both wings
    "2kr3r/pp1bbp2/1qn1pn1p/3p2p1/3P3P/2PB1NB1/PP2QPP1/R4RK1 w - - 4 14", // castled on opposite sides, pawns on their way
    "3r1rk1/1pq2ppp/p1n1p3/8/2P5/1P2PN2/P1Q2PPP/2R2RK1 b - - 1 19", // rooks on the open file
    "r4rk1/pp1b1ppp/1q2p3/2npP3/5P2/2NB4/PPP3PP/R2Q1R1K w - - 0 16", // knight outpost against a bad bishop
    "2r2rk1/1b3ppp/pq2p3/1p2n3/4P3/P1N3P1/1PQ2PBP/R4RK1 b - - 0 20", // an exchange for two pawns
    "r3r1k1/pp1nbppp/2p2n2/4p3/2P1P1b1/2N1BN2/PP2BPPP/R3R1K1 w - - 2 14", // queens off, everything else on
    // Tactics.
    "r1b1k2r/pppp1ppp/2n2n2/4q3/1b2P3/2NB4/PPP2PPP/R1BQK2R w KQkq - 0 8", // a pin on the king's file
    "3r2k1/1P3ppp/8/1q6/3Q4/5N2/5PPP/6K1 w - - 0 1", // an unguarded back rank
    "r3k2r/pp1n1ppp/2pb1n2/q2pp1B1/2PPP1b1/P1NB1N2/1P3PPP/R2QK2R w KQkq - 0 9", // six captures to choose from
    "1n6/P4kp1/8/8/8/8/1pK3P1/N7 w - - 0 1", // promotions on both wings
    "r1bq1rk1/ppp2ppp/2n5/3pp3/1b1PP3/2N1B3/PPP1NPPP/R2QKB1R w KQ - 0 8", // a check to answer, three ways
    "r2q1rk1/pp2bppp/2n1bn2/3p2B1/3N4/2N1P3/PP2BPPP/R2Q1RK1 w - - 5 12", // discovered attack in the air
    "r1bq3r/ppp2ppp/3k4/3np3/2B5/2Q5/PPPP1PPP/R1B1K2R w KQ - 2 11", // king chased across the board
    // Endgames.
    "8/8/4k3/8/4PK2/8/8/8 w - - 0 1", // pawns alone: the opposition decides
    "6k1/ppp5/8/PPP5/8/8/8/6K1 w - - 0 1", // pawns alone: is there a breakthrough?
    "8/1k6/1p1p4/pPpPp1p1/P1P1P1P1/8/4K3/8 w - - 0 1", // pawns alone: a blocked wall and a king's walk
    "1K1k4/1P6/8/8/8/8/r7/2R5 w - - 0 1", // rook and pawn, the bridge
    "8/5pk1/4p1p1/P6p/7P/1r4P1/5PK1/R7 w - - 0 38", // rook behind the passed pawn
    "8/5pk1/R5p1/4p2p/4P2P/r4PP1/6K1/8 b - - 0 41", // four against three on one wing
    "8/3b1k2/p3p3/1p1pPp1p/1P1P1P1P/P2KB3/8/8 w - - 0 45", // bishops of opposite colours
    "8/pp1b1k2/2p1p1p1/3pPpPp/3P1P1P/2P1KN2/PP6/8 w - - 0 33", // knight against bad bishop
    "6k1/5p2/3Q2p1/1p5p/7P/1P4P1/q4P2/6K1 b - - 0 40", // queens and passed pawns
    "7Q/8/8/3K4/8/8/2p5/1k6 w - - 0 1", // queen against a far pawn
    "8/8/2k5/8/3KN3/3B4/8/8 w - - 0 1", // bishop and knight
    "2r3k1/2r2ppp/8/8/3Q4/6P1/5P1P/6K1 w - - 0 1", // two rooks against a queen
    // Draws near.
    "8/8/4k3/8/2R5/3K4/6r1/6b1 w - - 94 110", // six half-moves before the fifty-move rule
    "8/8/1p1k1p2/pPpPpPp1/P1P1P1P1/4K3/8/2B5 w - - 60 90", // a fortress, long since locked
    "8/6pk/7p/4Q3/8/7P/r2q2PK/8 w - - 0 30", // perpetual check in sight
    // Forced mates.
    "r4r1k/6pp/7N/8/2Q5/8/5PPP/6K1 w - - 0 1", // smothered mate
    "8/8/8/3k4/8/8/1R6/R5K1 w - - 0 1", // two rooks and an edge
    "5rk1/5pp1/6P1/8/8/3Q4/6K1/7R w - - 0 1", // a rook is worth the corner
];
