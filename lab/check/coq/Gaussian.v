(* Sums over the integers, and the discrete Gaussian about 0. *)
From Coq Require Import Reals ZArith List Lia Lra.
From Coquelicot Require Import Coquelicot.
Import ListNotations.
Local Open Scope R_scope.

(* The sum of f over the integers: of 0, 1, 2, ... and of -1, -2, ... *)
Definition up (f : Z -> R) (k : nat) : R := f (Z.of_nat k).
Definition down (f : Z -> R) (k : nat) : R := f (- Z.of_nat (S k))%Z.
Definition summable (f : Z -> R) : Prop := ex_series (up f) /\ ex_series (down f).
Definition sumZ (f : Z -> R) : R := Series (up f) + Series (down f).

(* The discrete Gaussian D_{Z,sigma,0}. *)
Definition rho (sigma : R) (x : Z) : R := exp (- (IZR x ^ 2 / (2 * sigma ^ 2))).
Definition gauss (sigma : R) (x : Z) : R := rho sigma x / sumZ (rho sigma).

(* Distances of a law Q from a law P, as docs/book/certificates.md defines them. *)
Definition distance (Q P : Z -> R) : R := / 2 * sumZ (fun x => Rabs (Q x - P x)).
Definition moment (a : nat) (Q P : Z -> R) : R := sumZ (fun x => Q x ^ a / P x ^ (a - 1)).
Definition renyi (a : nat) (Q P : Z -> R) : R := Rpower (moment a Q P) (/ INR (a - 1)).
Definition outside (Q P : Z -> R) : R := sumZ (fun x => if Req_EM_T (Q x) 0 then P x else 0).
(* 2^(h/100). *)
Definition hundredths (h : Z) : R := Rpower 2 (IZR h / 100).

(* Finite sums. *)
Fixpoint sumL {A : Type} (f : A -> R) (l : list A) : R :=
  match l with [] => 0 | x :: r => f x + sumL f r end.

Lemma sumL_app {A} (f : A -> R) l r : sumL f (l ++ r) = sumL f l + sumL f r.
Proof. induction l as [|x l IH]; simpl; [lra | rewrite IH; lra]. Qed.

Lemma sumL_map {A B} (f : B -> R) (g : A -> B) l : sumL f (map g l) = sumL (fun x => f (g x)) l.
Proof. induction l as [|x l IH]; simpl; [reflexivity | now rewrite IH]. Qed.

Lemma sumL_le {A} (f g : A -> R) l : (forall x, In x l -> f x <= g x) -> sumL f l <= sumL g l.
Proof.
  induction l as [|x l IH]; simpl; intros H; [lra|].
  apply Rplus_le_compat; [apply H; now left | apply IH; intros; apply H; now right].
Qed.

Lemma sumL_scal {A} c (f : A -> R) l : sumL (fun x => c * f x) l = c * sumL f l.
Proof. induction l as [|x l IH]; simpl; [ring | rewrite IH; ring]. Qed.

Lemma sumL_ext {A} (f g : A -> R) l : (forall x, In x l -> f x = g x) -> sumL f l = sumL g l.
Proof. intros H. apply Rle_antisym; apply sumL_le; intros x i; rewrite (H x i); lra. Qed.

(* The integers from -n to n, and the sum of f beyond them. *)
Definition window (n : nat) : list Z :=
  map Z.of_nat (seq 0 (S n)) ++ map (fun k => - Z.of_nat (S k))%Z (seq 0 n).
Definition beyond (f : Z -> R) (n : nat) : R :=
  Series (fun k => up f (S n + k)) + Series (fun k => down f (n + k)).

Lemma in_window n x : (Z.abs x <= Z.of_nat n)%Z -> In x (window n).
Proof.
  intros H. unfold window. apply in_or_app. destruct (Z_le_gt_dec 0 x).
  - left. apply in_map_iff. exists (Z.to_nat x). split; [lia | apply in_seq; lia].
  - right. apply in_map_iff. exists (pred (Z.to_nat (- x))). split; [lia | apply in_seq; lia].
Qed.

Lemma window_in n x : In x (window n) -> (Z.abs x <= Z.of_nat n)%Z.
Proof.
  intros H. apply in_app_or in H as [H | H]; apply in_map_iff in H as (k & E & i);
    apply in_seq in i; lia.
Qed.

Lemma series_head (a : nat -> R) n :
  ex_series a -> Series a = sumL a (seq 0 n) + Series (fun k => a (n + k)%nat).
Proof.
  intros H. induction n as [|n IH].
  - simpl. rewrite Rplus_0_l. reflexivity.
  - rewrite IH, seq_S, sumL_app. simpl. rewrite (Series_incr_1 (fun k => a (n + k)%nat)).
    + rewrite Nat.add_0_r, (Series_ext (fun k => a (n + S k)%nat) (fun k => a (S (n + k)))).
      * ring.
      * intros k. f_equal. lia.
    + now apply ex_series_incr_n.
Qed.

Lemma sumZ_window f n : summable f -> sumZ f = sumL f (window n) + beyond f n.
Proof.
  intros [U D]. unfold sumZ, beyond, window.
  rewrite (series_head _ (S n) U), (series_head _ n D), sumL_app, !sumL_map.
  unfold up, down. ring.
Qed.

(* What halves at each step has a sum of at most twice its first term. *)
Section Halving.
  Variables (a : nat -> R) (n : nat).
  Hypothesis positive : forall k, 0 <= a k.
  Hypothesis halves : forall k, (n <= k)%nat -> a (S k) <= a k / 2.

  Lemma below_geometric k : a (n + k)%nat <= a n * (/ 2) ^ k.
  Proof.
    induction k as [|k IH]; [rewrite Nat.add_0_r; simpl; lra|].
    rewrite Nat.add_succ_r. apply Rle_trans with (a (n + k)%nat / 2); [apply halves; lia|]. simpl. lra.
  Qed.

  Lemma half : Rabs (/ 2) < 1.
  Proof. rewrite Rabs_pos_eq; lra. Qed.

  Lemma geometric : ex_series (fun k => a n * (/ 2) ^ k).
  Proof. apply (ex_series_scal_l (a n) (fun k => (/ 2) ^ k)). apply ex_series_geom, half. Qed.

  Lemma halving_summable : ex_series a.
  Proof.
    apply (ex_series_incr_n a n).
    apply (@ex_series_le R_AbsRing R_CompleteNormedModule (fun k => a (n + k)%nat) (fun k => a n * (/ 2) ^ k)).
    - intros k. change (norm (a (n + k)%nat)) with (Rabs (a (n + k)%nat)).
      rewrite Rabs_pos_eq; [apply below_geometric | apply positive].
    - apply geometric.
  Qed.

  Lemma halving_sum : 0 <= Series (fun k => a (n + k)%nat) <= 2 * a n.
  Proof.
    split.
    - replace 0 with (Series (fun k => 0 * a (n + k)%nat)) by (rewrite Series_scal_l; ring).
      apply Series_le; [intros k; specialize (positive (n + k)%nat); lra |].
      apply (ex_series_incr_n a n), halving_summable.
    - apply Rle_trans with (Series (fun k => a n * (/ 2) ^ k)).
      + apply Series_le; [intros k; split; [apply positive | apply below_geometric] | apply geometric].
      + rewrite Series_scal_l, Series_geom by apply half. lra.
  Qed.
End Halving.

Lemma summable_scal c f : summable f -> summable (fun x => c * f x).
Proof. intros [U D]. split; [apply (ex_series_scal_l c (up f)) | apply (ex_series_scal_l c (down f))]; assumption. Qed.

Lemma summable_incr a n : ex_series a -> ex_series (fun k : nat => a (n + k)%nat : R).
Proof. apply (ex_series_incr_n a n). Qed.

Lemma summable_beyond f g n :
  summable g -> (forall x, (Z.of_nat n < Z.abs x)%Z -> f x = g x) -> summable f.
Proof.
  intros [U D] E. split.
  - apply (ex_series_incr_n (up f) (S n)).
    apply ex_series_ext with (fun k => up g (S n + k)%nat); [|now apply summable_incr].
    intros k. unfold up. symmetry. apply E. lia.
  - apply (ex_series_incr_n (down f) n).
    apply ex_series_ext with (fun k => down g (n + k)%nat); [|now apply summable_incr].
    intros k. unfold down. symmetry. apply E. lia.
Qed.

Lemma beyond_ext f g n : (forall x, (Z.of_nat n < Z.abs x)%Z -> f x = g x) -> beyond f n = beyond g n.
Proof. intros E. unfold beyond, up, down. f_equal; apply Series_ext; intros k; apply E; lia. Qed.

Lemma beyond_scal c f n : beyond (fun x => c * f x) n = c * beyond f n.
Proof. unfold beyond, up, down. rewrite !Series_scal_l. ring. Qed.

(* The Gaussian decreases: from n on by a half at each step, if (2n + 1)/(2 sigma^2) >= 1. *)
Section Tail.
  Variables (sigma : R) (n : nat).
  Hypothesis width : 0 < sigma.
  Hypothesis far : 2 * sigma ^ 2 <= 2 * INR n + 1.

  Lemma rho_pos x : 0 < rho sigma x.
  Proof. apply exp_pos. Qed.

  Lemma rho_abs x : rho sigma (- x) = rho sigma x.
  Proof. unfold rho. rewrite opp_IZR. f_equal. f_equal. f_equal. ring. Qed.

  Lemma rho_halves k : (n <= k)%nat -> rho sigma (Z.of_nat (S k)) <= rho sigma (Z.of_nat k) / 2.
  Proof.
    intros H. apply le_INR in H. unfold rho. rewrite <- !INR_IZR_INZ, S_INR.
    assert (s : 0 < 2 * sigma ^ 2) by (apply Rmult_lt_0_compat; [lra | now apply pow_lt]).
    replace (- ((INR k + 1) ^ 2 / (2 * sigma ^ 2)))
      with (- (INR k ^ 2 / (2 * sigma ^ 2)) + - ((2 * INR k + 1) / (2 * sigma ^ 2))) by (field; lra).
    rewrite exp_plus. apply Rmult_le_compat_l; [apply Rlt_le, exp_pos|].
    assert (1 <= (2 * INR k + 1) / (2 * sigma ^ 2)) by (apply Rmult_le_reg_r with (1 := s); field_simplify; lra).
    apply Rle_trans with (exp (- (1))).
    - destruct (Rle_lt_or_eq_dec _ _ H0) as [L | <-]; [left; apply exp_increasing; lra | right; reflexivity].
    - rewrite exp_Ropp. apply Rinv_le_contravar; [lra|]. generalize (exp_ineq1 1). lra.
  Qed.

  Lemma rho_down k : down (rho sigma) k = up (rho sigma) (S k).
  Proof. apply rho_abs. Qed.

  Lemma rho_summable : summable (rho sigma).
  Proof.
    assert (U : ex_series (up (rho sigma))).
    { apply halving_summable with n; [intros; apply Rlt_le, rho_pos | exact rho_halves]. }
    split; [exact U|].
    apply ex_series_ext with (fun k => up (rho sigma) (1 + k)%nat); [intros; now rewrite rho_down|].
    now apply summable_incr.
  Qed.

  Lemma rho_beyond : 0 <= beyond (rho sigma) n <= 4 * rho sigma (Z.of_nat (S n)).
  Proof.
    assert (T := halving_sum (up (rho sigma)) (S n) (fun k => Rlt_le _ _ (rho_pos _))
      (fun k H => rho_halves k ltac:(lia))).
    unfold beyond. rewrite (Series_ext (fun k => down (rho sigma) (n + k)%nat) (fun k => up (rho sigma) (S n + k)%nat))
      by (intros; apply rho_down).
    unfold up in *. lra.
  Qed.
End Tail.
